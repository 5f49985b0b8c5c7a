//! A checked scenario: the types that a study runs.

use crate::engine::time::{DAY_US, SECOND_US};
use crate::measure::{AlarmFigure, AlarmSettings, Fact, Metric, SeriesMetric};
use crate::model::consumer::ConsumerSettings;
use crate::model::downstream::DownstreamSettings;
use crate::model::operator::Operation;
use crate::model::policy::PolicySettings;
use crate::model::producer::ProducerSettings;
use crate::model::queue::QueueSettings;

/// A checked scenario: everything that a study needs, nothing left to look up.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// One line that says what is compared.
    pub title: String,
    /// The seed of all random streams.
    pub seed: u64,
    /// Simulated time of each run.
    pub duration_us: u64,
    /// Independent runs of each variant, at least 1.
    pub replications: u32,
    /// The alarms that watch every variant.
    pub alarms: Vec<AlarmSettings>,
    /// The variants, in the order of the file; at least one.
    pub variants: Vec<Variant>,
    /// What must hold.
    pub expectations: Vec<Expectation>,
    /// What somebody has claimed.
    pub claims: Vec<Claim>,
}

impl Scenario {
    /// How long each run warms up, if it does.
    pub fn warm_up_us(&self) -> Option<u64> {
        self.variants.first().map(|variant| variant.setup.warm_up_us).filter(|warm_up_us| *warm_up_us > 0)
    }
}

/// One arm of the comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Its name in reports.
    pub name: String,
    /// What it runs.
    pub setup: Setup,
}

/// Everything that one run is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The queue.
    pub queue: QueueSettings,
    /// Who sends.
    pub producers: Vec<ProducerSettings>,
    /// Who receives.
    pub consumers: ConsumerSettings,
    /// What handlers call.
    pub downstream: DownstreamSettings,
    /// What happens after a failure.
    pub policy: PolicySettings,
    /// Where messages go that have used up their receives.
    pub dead_letter_queue: DeadLetterQueue,
    /// More queues with producers and consumers of their own, which share the downstream and the dead-letter queue.
    pub other_queues: Vec<OtherQueue>,
    /// What an operator does meanwhile, to the setup's own queue.
    pub operations: Vec<Operation>,
    /// Who watches; the same in all variants of a scenario.
    pub alarms: Vec<AlarmSettings>,
    /// Time from which on metrics and alarms count; the same in all variants of a scenario.
    pub warm_up_us: u64,
}

impl Setup {
    /// A setup of one queue: nobody works on its dead-letter queue, no operator acts, and nobody watches.
    pub fn new(
        queue: QueueSettings,
        producers: Vec<ProducerSettings>,
        consumers: ConsumerSettings,
        downstream: DownstreamSettings,
        policy: PolicySettings,
    ) -> Self {
        let dead_letter_queue = DeadLetterQueue::of(&queue);
        Self {
            queue,
            producers,
            consumers,
            downstream,
            policy,
            dead_letter_queue,
            other_queues: Vec::new(),
            operations: Vec::new(),
            alarms: Vec::new(),
            warm_up_us: 0,
        }
    }

    /// Every producer, with the number of the queue that it sends to: 0 is the setup's own, then the others.
    pub fn all_producers(&self) -> impl Iterator<Item = (usize, &ProducerSettings)> {
        let own = self.producers.iter().map(|producer| (0, producer));
        let others = self
            .other_queues
            .iter()
            .enumerate()
            .flat_map(|(number, other)| other.producers.iter().map(move |producer| (number + 1, producer)));
        own.chain(others)
    }

    /// Tenants that producers send messages of: those numbered from 0 on.
    pub fn tenants(&self) -> usize {
        self.all_producers().map(|(_, producer)| usize::from(producer.tenant) + 1).max().unwrap_or(1)
    }

    /// The fleets of all queues, in the order of [`policies`](Self::policies).
    pub fn all_consumers(&self) -> impl Iterator<Item = &ConsumerSettings> {
        let others = self.other_queues.iter().map(|other| &other.consumers);
        std::iter::once(&self.consumers).chain(others).chain(std::iter::once(&self.dead_letter_queue.consumers))
    }

    /// The policies of all consumers: of the setup's own queue, of the others, of the dead-letter queue.
    pub fn policies(&self) -> impl Iterator<Item = &PolicySettings> {
        let others = self.other_queues.iter().map(|other| &other.policy);
        std::iter::once(&self.policy).chain(others).chain(std::iter::once(&self.dead_letter_queue.policy))
    }
}

/// The dead-letter queue, and who works on it.
#[derive(Debug, Clone, PartialEq)]
pub struct DeadLetterQueue {
    /// Its settings; it has no redrive policy of its own.
    pub queue: QueueSettings,
    /// Its consumers; a fleet of none where nobody works on it.
    pub consumers: ConsumerSettings,
    /// What its consumers do after a failure.
    pub policy: PolicySettings,
}

impl DeadLetterQueue {
    /// The dead-letter queue of a source queue as it is by default: of the same type, 30 s, 14 d, and nobody works on it.
    pub fn of(source: &QueueSettings) -> Self {
        Self {
            queue: QueueSettings {
                visibility_timeout_us: 30 * SECOND_US,
                retention_us: 14 * DAY_US,
                max_receive_count: None,
                delay_us: 0,
                ..source.clone()
            },
            consumers: ConsumerSettings { fleet: 0, concurrency: 1, ..ConsumerSettings::default() },
            policy: PolicySettings::default(),
        }
    }
}

/// One more source queue.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherQueue {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub queue: QueueSettings,
    /// Who sends to it.
    pub producers: Vec<ProducerSettings>,
    /// Who receives from it.
    pub consumers: ConsumerSettings,
    /// What its consumers do after a failure.
    pub policy: PolicySettings,
}

/// A number that can be read off a variant's results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// A metric of the whole run.
    Metric(Metric),
    /// Whether something was so in a run: 1 if it was, else 0. The mean is the share of the runs.
    Fact(Fact),
    /// A flow summed over a window of the series.
    Window {
        /// Which flow; never a level.
        metric: SeriesMetric,
        /// Start of the window, in seconds.
        from_s: u64,
        /// End of the window (exclusive), in seconds.
        until_s: u64,
    },
    /// A level at the end of a second.
    Level {
        /// Which level.
        metric: SeriesMetric,
        /// The moment, in seconds.
        at_s: u64,
    },
    /// What an alarm did.
    Alarm {
        /// Index of the alarm.
        alarm: usize,
        /// Which number of it.
        figure: AlarmFigure,
    },
}

/// What the names of all metrics of alarms begin with.
pub(super) const ALARM_PREFIX: &str = "alarm.";

impl Quantity {
    /// The name of its metric in scenarios and result files; `alarms` are those of its scenario.
    pub fn metric_name(self, alarms: &[AlarmSettings]) -> String {
        match self {
            Self::Metric(metric) => metric.name().to_owned(),
            Self::Fact(fact) => fact.name().to_owned(),
            Self::Window { metric, .. } | Self::Level { metric, .. } => metric.name().to_owned(),
            Self::Alarm { alarm, figure } => {
                let name = alarms.get(alarm).map_or("unknown", |alarm| &alarm.name);
                format!("{ALARM_PREFIX}{name}.{}", figure.name())
            }
        }
    }

    /// The lowest and the highest value that it can have; an interval of its mean goes no further.
    pub fn range(self) -> (f64, f64) {
        match self {
            Self::Alarm { figure: AlarmFigure::LeadS, .. } => (f64::NEG_INFINITY, f64::INFINITY),
            Self::Fact(_) | Self::Alarm { figure: AlarmFigure::Fired, .. } => (0.0, 1.0),
            Self::Level { metric: SeriesMetric::BreakerOpen, .. } => (0.0, 1.0),
            _ => (0.0, f64::INFINITY),
        }
    }

    /// Whether it is a time in seconds.
    pub fn is_time(self) -> bool {
        match self {
            Self::Metric(metric) => metric.unit() == "s",
            Self::Alarm { figure, .. } => figure.unit() == "s",
            Self::Fact(_) | Self::Window { .. } | Self::Level { .. } => false,
        }
    }
}

/// What a quantity is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    /// A number.
    Number(f64),
    /// A multiple of the same quantity of another variant.
    Variant {
        /// Index of the other variant.
        variant: usize,
        /// The multiple.
        times: f64,
        /// What is added to it, in the quantity's unit.
        plus: f64,
    },
}

/// What of a quantity has to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holds {
    /// The whole 95 % interval of its mean.
    #[default]
    Interval,
    /// The mean alone.
    Mean,
}

/// How a quantity must stand to a bound.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// Equal to the bound.
    Equals(Bound),
    /// Strictly less.
    Below(Bound),
    /// Less or equal.
    AtMost(Bound),
    /// Strictly more.
    Above(Bound),
    /// More or equal.
    AtLeast(Bound),
    /// Between two numbers, both included.
    Between(f64, f64),
}

/// Something that must hold; a miss fails the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// Index of the variant.
    pub variant: usize,
    /// What is looked at.
    pub quantity: Quantity,
    /// How it must stand.
    pub comparison: Comparison,
    /// What of it has to hold.
    pub holds: Holds,
    /// Why, in the author's words; may be empty.
    pub says: String,
}

/// A published figure to hold against the simulation; never fails a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Index of the variant.
    pub variant: usize,
    /// What is looked at.
    pub quantity: Quantity,
    /// The published figure.
    pub figure: f64,
    /// What the source says, in short.
    pub says: String,
    /// Largest distance of the simulated mean from the figure that counts as reproduced.
    pub reproduced_within: f64,
    /// Largest distance that counts as close; at least `reproduced_within`.
    pub close_within: f64,
    /// Why it comes out as it does, in one sentence; may be empty.
    pub because: String,
}
