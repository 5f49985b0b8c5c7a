//! From what is declared to a stack: queues first, then what points at them.

use super::dialect::{Dialect, MAX_RECEIVE_COUNT, MappingKeys, RedriveForm, SAM_EVENT, SERVERLESS_EVENT, TARGET};
use super::item::{Datum, Item, Piece, Reference};
use super::keys::{check_keys, check_redrive_keys};
use super::link::Link;
use super::resource::{Declared, Kind, MappingForm, Names, Resource};
use super::settings::{bool_of, decoded, number_of, text_of};
use crate::audit::model::{
    Alarm, Function, Mapping, Queue, QueueRef, Redrive, RedriveAllow, RedrivePermission, Setting, Stack, StrayRedrive,
    UnknownKey,
};

/// The stack of a configuration.
pub fn build(declared: &Declared) -> Stack {
    let mut stack = Stack { allowances: declared.allowances.clone(), ..Stack::default() };
    let mut names = Names::default();
    take_in(declared, &mut stack, &mut names);
    let queues = stack.queues.clone();
    let link = Link { declared, names: &names, queues: &queues };
    for resource in &declared.resources {
        match resource.kind {
            Kind::Queue => {
                let number = names.queues[&resource.id];
                of_queue(&link, resource, &mut stack.queues[number], &mut stack.unknown_keys);
            }
            Kind::RedrivePolicy | Kind::RedriveAllowPolicy => of_policy(&link, resource, &mut stack),
            Kind::Mapping(form) if reads_no_queue(&link, resource, form) => {}
            Kind::Mapping(form) => {
                stack.mappings.push(mapping(&link, resource, form));
                let (keys, what) = mapping_keys(declared.dialect, form);
                check_keys(&resource.properties, &keys.all(), what, &mut stack.unknown_keys);
            }
            Kind::Function => of_function(&link, resource, &mut stack),
            Kind::Alarm => stack.alarms.push(alarm(&link, resource)),
            Kind::FunctionAlias | Kind::Other => {}
        }
        if !matches!(resource.kind, Kind::Queue | Kind::RedrivePolicy | Kind::RedriveAllowPolicy) {
            mark_takers(&link, &resource.properties, false, &mut stack.queues);
        }
    }
    stack
}

/// Queues and functions under their names.
fn take_in(declared: &Declared, stack: &mut Stack, names: &mut Names) {
    for resource in &declared.resources {
        names.known.insert(resource.id.clone());
        match resource.kind {
            Kind::Queue => {
                let queue = plain_queue(declared, resource);
                if let Some(name) = queue.name.known() {
                    names.queues_by_name.insert(name.clone(), stack.queues.len());
                }
                names.queues.insert(resource.id.clone(), stack.queues.len());
                stack.queues.push(queue);
            }
            Kind::Function => {
                let keys = declared.function_keys;
                if let Some(name) = resource.properties.get(keys.name).and_then(Item::text) {
                    names.functions_by_name.insert(name.to_owned(), stack.functions.len());
                }
                names.functions.insert(resource.id.clone(), stack.functions.len());
                stack.functions.push(Function {
                    id: resource.id.clone(),
                    spot: resource.spot,
                    timeout_s: number_of(resource.properties.get(keys.timeout), " of seconds"),
                    default_timeout_s: keys.default_timeout_s,
                    reserved_concurrency: number_of(resource.properties.get(keys.reserved), ""),
                    names_queues: Vec::new(),
                });
            }
            _ => {}
        }
    }
    for resource in declared.resources.iter().filter(|resource| resource.kind == Kind::FunctionAlias) {
        let name = resource.properties.get(declared.dialect.mapping.function);
        if let Some(Datum::Reference(reference)) = name.map(|item| &item.value)
            && let Some(number) = names.functions.get(&reference.resource)
        {
            names.functions.insert(resource.id.clone(), *number);
        }
    }
}

fn plain_queue(declared: &Declared, resource: &Resource) -> Queue {
    let (keys, properties) = (&declared.dialect.queue, &resource.properties);
    let seconds = |key: &str| match properties.get(key) {
        Some(Item { value: Datum::Number(_), spot }) if declared.takes_texts_only => Setting::WrongType {
            found: "a bare number".to_owned(),
            wanted: "the number as a text".to_owned(),
            spot: *spot,
        },
        item => number_of(item, " of seconds"),
    };
    Queue {
        name: text_of(properties.get(keys.name)),
        arn: resource.home.clone(),
        is_fifo: bool_of(properties.get(keys.fifo)),
        visibility_timeout_s: seconds(keys.visibility_timeout),
        retention_s: seconds(keys.retention),
        delay_s: seconds(keys.delay),
        receive_wait_s: seconds(keys.receive_wait),
        ..Queue::unsaid(&resource.id, resource.spot)
    }
}

fn of_queue(link: &Link<'_>, resource: &Resource, queue: &mut Queue, unknown: &mut Vec<UnknownKey>) {
    let dialect = link.declared.dialect;
    let keys = &dialect.queue;
    check_keys(&resource.properties, &keys.all(), "a queue", unknown);
    if let Some(item) = resource.properties.get(keys.redrive) {
        (queue.redrive, queue.redrive_as_written) = redrive(link, item);
        check_redrive_keys(item, unknown);
    }
    if let Some(item) = resource.properties.get(keys.redrive_allow) {
        queue.redrive_allow = allow(link, item);
    }
}

/// A redrive policy, and what is wrong with how it is written.
fn redrive(link: &Link<'_>, item: &Item) -> (Option<Redrive>, Setting<()>) {
    let spot = item.spot;
    let is_empty = matches!(&item.value, Datum::Null)
        || item.text() == Some("")
        || matches!(&item.value, Datum::Map(entries) if entries.is_empty());
    if is_empty {
        return (None, Setting::Absent);
    }
    let wrong =
        |found: &str, wanted: &str| Setting::WrongType { found: found.to_owned(), wanted: wanted.to_owned(), spot };
    let (inside, as_written) = match (&item.value, link.declared.dialect.redrive_form) {
        (Datum::Unresolved(why), _) => return (None, Setting::Unresolved { why: why.clone(), spot }),
        (Datum::Reference(reference), _) => {
            return (None, Setting::Unresolved { why: super::settings::asks(reference), spot });
        }
        (Datum::Map(_), RedriveForm::Mapping) => (Some(item.clone()), Setting::Absent),
        (Datum::Map(_), RedriveForm::Json) => (Some(item.clone()), wrong("a nested object", "a text that holds JSON")),
        (_, RedriveForm::Json) => {
            let inside = decoded(item);
            let clear = inside.as_ref().is_some_and(|inside| matches!(inside.value, Datum::Map(_)));
            let written = if clear { Setting::Absent } else { wrong("no JSON object", "a text that holds JSON") };
            (inside.filter(|_| clear), written)
        }
        (_, RedriveForm::Mapping) => (decoded(item), wrong(item.kind(), "a mapping")),
    };
    let found = inside.map(|inside| Redrive {
        spot,
        target: link.queue(inside.get(TARGET)),
        max_receive_count: number_of(inside.get(MAX_RECEIVE_COUNT), " of receives"),
    });
    (found, as_written)
}

fn allow(link: &Link<'_>, item: &Item) -> Option<RedriveAllow> {
    let inside = match &item.value {
        Datum::Null => return None,
        Datum::Map(_) => item.clone(),
        _ => decoded(item).unwrap_or_else(|| item.clone()),
    };
    let permission = match inside.get("redrivePermission").and_then(Item::text) {
        Some("allowAll") => RedrivePermission::All,
        Some("denyAll") => RedrivePermission::None,
        Some("byQueue") => match inside.get("sourceQueueArns").map(|arns| &arns.value) {
            Some(Datum::List(arns)) => {
                RedrivePermission::Queues(arns.iter().map(|arn| link.queue(Some(arn))).collect())
            }
            _ => RedrivePermission::Unclear,
        },
        _ => RedrivePermission::Unclear,
    };
    Some(RedriveAllow { spot: item.spot, permission })
}

/// A policy that stands apart from its queue.
fn of_policy(link: &Link<'_>, resource: &Resource, stack: &mut Stack) {
    let keys = &link.declared.dialect.queue;
    let url = resource.properties.get("queue_url");
    let queue = link.queue(url);
    if let (Some(QueueRef::Missing(name)), Some(spot)) = (queue.known(), queue.spot()) {
        stack.stray_redrives.push(StrayRedrive { queue: name.clone(), spot });
    }
    let Some(number) = stack.queue_number(&queue) else { return };
    let queue = &mut stack.queues[number];
    if resource.kind == Kind::RedrivePolicy {
        if let Some(item) = resource.properties.get(keys.redrive) {
            (queue.redrive, queue.redrive_as_written) = redrive(link, item);
            check_redrive_keys(item, &mut stack.unknown_keys);
        }
    } else if let Some(item) = resource.properties.get(keys.redrive_allow) {
        queue.redrive_allow = allow(link, item);
    }
}

fn mapping_keys(dialect: &'static Dialect, form: MappingForm) -> (&'static MappingKeys, &'static str) {
    match form {
        MappingForm::Resource => (&dialect.mapping, "an event source mapping"),
        MappingForm::SamEvent => (&SAM_EVENT, "an SQS event"),
        MappingForm::ServerlessEvent => (&SERVERLESS_EVENT, "an sqs event"),
    }
}

/// Whether a mapping reads a stream, a topic or something else that is no queue.
fn reads_no_queue(link: &Link<'_>, resource: &Resource, form: MappingForm) -> bool {
    if form != MappingForm::Resource {
        return false;
    }
    let of_stream = ["StartingPosition", "starting_position", "Topics", "topics", "Queues", "queues"];
    let source = resource.properties.get(link.declared.dialect.mapping.queue);
    let starts_as_other = |text: &str| text.starts_with("arn:") && !text.contains(":sqs:");
    of_stream.iter().any(|key| resource.properties.get(key).is_some())
        || match source.map(|item| &item.value) {
            Some(Datum::Reference(reference)) => {
                let id = &reference.resource;
                link.names.known.contains(id) && !link.names.queues.contains_key(id)
            }
            Some(Datum::Text(text)) => starts_as_other(text),
            Some(Datum::Template(pieces)) => {
                let text = |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains(":sqs:"));
                let is_arn = matches!(pieces.first(), Some(Piece::Text(text)) if text.starts_with("arn:"));
                is_arn && !pieces.iter().any(text)
            }
            None => true,
            _ => false,
        }
}

fn mapping(link: &Link<'_>, resource: &Resource, form: MappingForm) -> Mapping {
    let (keys, properties) = (mapping_keys(link.declared.dialect, form).0, &resource.properties);
    let function = match &resource.within {
        Some(id) => link.names.functions.get(id).copied(),
        None => link.function(properties.get(keys.function)),
    };
    let queue = link.queue(properties.get(keys.queue));
    Mapping {
        id: resource.id.clone(),
        spot: resource.spot,
        is_of_queue: form != MappingForm::Resource || queue.known().is_some(),
        queue,
        function,
        batch_size: number_of(properties.get(keys.batch_size), " of messages"),
        window_s: number_of(properties.get(keys.window), " of seconds"),
        maximum_concurrency: number_of(properties.at(keys.maximum_concurrency), ""),
        reports_item_failures: reports(properties.get(keys.response_types)),
        has_provisioned_pollers: properties.get(keys.provisioned).is_some(),
        enabled: bool_of(properties.get(keys.enabled)),
    }
}

/// Whether `ReportBatchItemFailures` is among the response types.
fn reports(item: Option<&Item>) -> Setting<bool> {
    const WORD: &str = "ReportBatchItemFailures";
    let Some(item) = item else { return Setting::Absent };
    let spot = item.spot;
    let open = |item: &Item| matches!(item.value, Datum::Unresolved(_) | Datum::Reference(_) | Datum::Template(_));
    let is_word = |item: &Item| item.text() == Some(WORD);
    if is_word(item) || item.items().iter().any(is_word) {
        return Setting::Known { value: true, spot };
    }
    if open(item) || item.items().iter().any(open) {
        return Setting::Unresolved { why: "the response types are only known on deployment".to_owned(), spot };
    }
    match &item.value {
        Datum::Null => Setting::Absent,
        Datum::List(_) => Setting::Known { value: false, spot },
        _ => Setting::WrongType { found: item.kind().to_owned(), wanted: format!("`{WORD}`"), spot },
    }
}

fn of_function(link: &Link<'_>, resource: &Resource, stack: &mut Stack) {
    let mut found: Vec<(Reference, _)> = Vec::new();
    for key in link.declared.function_keys.sends_to {
        if let Some(item) = resource.properties.get(key) {
            item.references(&mut found);
        }
    }
    let queues = found
        .into_iter()
        .filter_map(|(reference, spot)| link.names.queues.get(&reference.resource).map(|number| (*number, spot)));
    stack.functions[link.names.functions[&resource.id]].names_queues = queues.collect();
}

fn alarm(link: &Link<'_>, resource: &Resource) -> Alarm {
    let keys = &link.declared.dialect.alarm;
    let dimensions = resource.properties.get(keys.dimensions);
    // A list of names and values in one format, a mapping in the other.
    let listed = dimensions.and_then(|dimensions| {
        let named = |item: &&Item| item.get("Name").and_then(Item::text) == Some("QueueName");
        dimensions.items().iter().find(named)?.get("Value")
    });
    let queue = listed.or_else(|| dimensions?.get("QueueName"));
    let queue = match link.queue(queue) {
        // A name of a queue that is not declared here.
        Setting::WrongType { spot, .. } => {
            Setting::Unresolved { why: "the queue is not declared here".to_owned(), spot }
        }
        other => other,
    };
    Alarm { id: resource.id.clone(), spot: resource.spot, metric: text_of(resource.properties.get(keys.metric)), queue }
}

/// Marks queues that functions, topics and rules send to what has failed.
fn mark_takers(link: &Link<'_>, item: &Item, within: bool, queues: &mut [Queue]) {
    let mark = |reference: &Reference, queues: &mut [Queue]| {
        if let Some(number) = link.names.queues.get(&reference.resource) {
            queues[*number].takes_failures = true;
        }
    };
    match &item.value {
        Datum::Map(entries) => entries.iter().for_each(|entry| {
            let key = entry.key.to_lowercase().replace('_', "");
            let says_so =
                ["deadletter", "dlq", "onfailure", "onerror", "redrivepolicy"].iter().any(|word| key.contains(word));
            mark_takers(link, &entry.item, within || says_so, queues);
        }),
        Datum::List(items) => items.iter().for_each(|item| mark_takers(link, item, within, queues)),
        _ if within => {
            let mut found = Vec::new();
            item.references(&mut found);
            found.iter().for_each(|(reference, _)| mark(reference, queues));
        }
        Datum::Encoded(inner) => mark_takers(link, inner, within, queues),
        _ => {}
    }
}
