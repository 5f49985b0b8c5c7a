//! `retrystorm consumers`.

use retrystorm::model::consumer::presets::PRESETS;

use crate::tool::{Desk, printed};

#[test]
fn the_list_has_a_line_for_every_client_library() {
    insta::assert_snapshot!(printed(&["consumers"]), @"
    Consumers
      consumers: { like: NAME }

      spring-cloud-aws  A listener container; deletes by ten or each second.
      bbc-sqs-consumer  A batch at a time; of one message, if nothing is set.
      shoryuken         25 threads and short polls.
      celery            Deletes before the task runs, and holds a buffer.
      lambda            Pollers hand batches to a function; a batch ends as one.
      laravel           One job at a time; sleeps when there is none.
      masstransit       Renews its leases; failures go to the error queue.
      nservicebus       Renews its leases; retries at once, then later.

    `retrystorm consumers NAME` tells all about one.
    ");
}

#[test]
fn the_page_of_a_client_library() {
    insta::assert_snapshot!(printed(&["consumers", "spring-cloud-aws"]), @"
    spring-cloud-aws (consumer)
      Spring Cloud AWS 3. A listener container; deletes by ten or each second.

    Defaults of consumers
      concurrency: 10
          `maxConcurrentMessages`
      batch: 10
          `maxMessagesPerPoll`
      wait: 10s
          `pollTimeout`
      groups: in_turn
          a FIFO container stops a group of a poll at its first failure
      acknowledge: { batched: { every: 1s, messages: 10 } }
          `acknowledgementInterval` and `acknowledgementThreshold` of a standard
          queue

    Defaults of the policy
      none

    Scenario
      consumers: { like: spring-cloud-aws }

    A trap
      A visibility timeout shorter than the work and the acknowledgement interval
      together: good work is done again.

    Source
      Spring Cloud AWS 3, module spring-cloud-aws-sqs: `AbstractContainerOptions`,
      `StandardSqsComponentFactory`, `BatchingAcknowledgementProcessor`. There the
      interval counts from the last acknowledgement, here from the first one that is
      held back: the longest lag is the same.
    ");
}

#[test]
fn every_client_library_has_a_page_within_80_columns_and_can_be_named_in_a_scenario() {
    for preset in PRESETS {
        printed(&["consumers", preset.name]);
        let desk = Desk::new();
        let text = format!(
            "duration: 1m\nproducers: [ {{ rate: 1/s }} ]\ndownstream: {{ servers: 1, service_time: 1ms }}\n\
             variants: {{ a: {{}} }}\nconsumers: {{ like: {} }}\n",
            preset.name
        );
        desk.put("example.yaml", &text);
        desk.run(&["check", "example.yaml"]).ended_with(0);
    }
}

#[test]
fn an_unknown_client_library_is_refused_with_the_nearest_one() {
    let desk = Desk::new();
    for (name, words) in [("shoryukan", "did you mean `shoryuken`?"), ("colour", "`retrystorm consumers` lists all")] {
        let run = desk.run(&["consumers", name]).ended_with(2);
        assert!(run.stderr().contains(&format!("there is no consumer `{name}`")), "{}", run.stderr());
        assert!(run.stderr().contains(words), "{}", run.stderr());
        assert_eq!(run.stdout(), "");
    }
}
