//! What the formats call the same things.

/// The keys of a format.
#[derive(Debug)]
pub struct Dialect {
    pub queue: QueueKeys,
    pub mapping: MappingKeys,
    pub function: FunctionKeys,
    pub alarm: AlarmKeys,
    /// How a redrive policy is written.
    pub redrive_form: RedriveForm,
}

#[derive(Debug)]
pub struct QueueKeys {
    pub name: &'static str,
    pub fifo: &'static str,
    pub visibility_timeout: &'static str,
    pub retention: &'static str,
    pub delay: &'static str,
    pub receive_wait: &'static str,
    pub redrive: &'static str,
    pub redrive_allow: &'static str,
    /// What else a queue takes.
    pub others: &'static [&'static str],
}

#[derive(Debug)]
pub struct MappingKeys {
    pub queue: &'static str,
    pub function: &'static str,
    pub batch_size: &'static str,
    pub window: &'static str,
    pub maximum_concurrency: &'static [&'static str],
    pub response_types: &'static str,
    pub provisioned: &'static str,
    pub enabled: &'static str,
    /// What else a mapping takes.
    pub others: &'static [&'static str],
}

#[derive(Debug)]
pub struct FunctionKeys {
    pub name: &'static str,
    pub timeout: &'static str,
    pub default_timeout_s: f64,
    pub reserved: &'static str,
    pub sends_to: &'static [&'static str],
}

#[derive(Debug)]
pub struct AlarmKeys {
    pub metric: &'static str,
    pub dimensions: &'static str,
}

/// How a redrive policy is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedriveForm {
    /// As a mapping.
    Mapping,
    /// As JSON in a text.
    Json,
}

/// The keys of a redrive policy, in every format.
pub const TARGET: &str = "deadLetterTargetArn";
/// The receives after which a message is moved.
pub const MAX_RECEIVE_COUNT: &str = "maxReceiveCount";

const LAMBDA_DEFAULT_TIMEOUT_S: f64 = 3.0;

/// CloudFormation, and what becomes CloudFormation.
pub static CLOUDFORMATION: Dialect = Dialect {
    queue: QueueKeys {
        name: "QueueName",
        fifo: "FifoQueue",
        visibility_timeout: "VisibilityTimeout",
        retention: "MessageRetentionPeriod",
        delay: "DelaySeconds",
        receive_wait: "ReceiveMessageWaitTimeSeconds",
        redrive: "RedrivePolicy",
        redrive_allow: "RedriveAllowPolicy",
        others: &[
            "ContentBasedDeduplication",
            "DeduplicationScope",
            "FifoThroughputLimit",
            "KmsDataKeyReusePeriodSeconds",
            "KmsMasterKeyId",
            "MaximumMessageSize",
            "SqsManagedSseEnabled",
            "Tags",
        ],
    },
    mapping: MappingKeys {
        queue: "EventSourceArn",
        function: "FunctionName",
        batch_size: "BatchSize",
        window: "MaximumBatchingWindowInSeconds",
        maximum_concurrency: &["ScalingConfig", "MaximumConcurrency"],
        response_types: "FunctionResponseTypes",
        provisioned: "ProvisionedPollerConfig",
        enabled: "Enabled",
        others: &[
            "AmazonManagedKafkaEventSourceConfig",
            "BisectBatchOnFunctionError",
            "DestinationConfig",
            "DocumentDBEventSourceConfig",
            "FilterCriteria",
            "KmsKeyArn",
            "LoggingConfig",
            "MaximumRecordAgeInSeconds",
            "MaximumRetryAttempts",
            "MetricsConfig",
            "ParallelizationFactor",
            "Queues",
            "ScalingConfig",
            "SelfManagedEventSource",
            "SelfManagedKafkaEventSourceConfig",
            "SourceAccessConfigurations",
            "StartingPosition",
            "StartingPositionTimestamp",
            "Tags",
            "Topics",
            "TumblingWindowInSeconds",
        ],
    },
    function: FunctionKeys {
        name: "FunctionName",
        timeout: "Timeout",
        default_timeout_s: LAMBDA_DEFAULT_TIMEOUT_S,
        reserved: "ReservedConcurrentExecutions",
        sends_to: &["Environment", "EventInvokeConfig"],
    },
    alarm: AlarmKeys { metric: "MetricName", dimensions: "Dimensions" },
    redrive_form: RedriveForm::Mapping,
};

/// An SQS event of a function in SAM: the queue is `Queue`, and the function is the one that it stands in.
pub static SAM_EVENT: MappingKeys = MappingKeys {
    queue: "Queue",
    function: "",
    batch_size: "BatchSize",
    window: "MaximumBatchingWindowInSeconds",
    maximum_concurrency: &["ScalingConfig", "MaximumConcurrency"],
    response_types: "FunctionResponseTypes",
    provisioned: "ProvisionedPollerConfig",
    enabled: "Enabled",
    others: &["FilterCriteria", "KmsKeyArn", "MetricsConfig", "ScalingConfig"],
};

/// An SQS event of a function in the Serverless Framework.
pub static SERVERLESS_EVENT: MappingKeys = MappingKeys {
    queue: "arn",
    function: "",
    batch_size: "batchSize",
    window: "maximumBatchingWindow",
    maximum_concurrency: &["maximumConcurrency"],
    response_types: "functionResponseType",
    provisioned: "provisionedPollerConfig",
    enabled: "enabled",
    others: &["filterPatterns", "kmsKeyArn", "maximumConcurrency"],
};

/// A function of the Serverless Framework.
pub static SERVERLESS_FUNCTION: FunctionKeys = FunctionKeys {
    name: "name",
    timeout: "timeout",
    default_timeout_s: 6.0,
    reserved: "reservedConcurrency",
    sends_to: &["environment", "destinations"],
};

/// What `aws sqs get-queue-attributes` answers; it knows queues alone.
pub static ATTRIBUTES: Dialect = Dialect {
    queue: QueueKeys {
        name: "QueueName",
        fifo: "FifoQueue",
        visibility_timeout: "VisibilityTimeout",
        retention: "MessageRetentionPeriod",
        delay: "DelaySeconds",
        receive_wait: "ReceiveMessageWaitTimeSeconds",
        redrive: "RedrivePolicy",
        redrive_allow: "RedriveAllowPolicy",
        others: &[
            "ApproximateNumberOfMessages",
            "ApproximateNumberOfMessagesDelayed",
            "ApproximateNumberOfMessagesNotVisible",
            "ContentBasedDeduplication",
            "CreatedTimestamp",
            "DeduplicationScope",
            "FifoThroughputLimit",
            "KmsDataKeyReusePeriodSeconds",
            "KmsMasterKeyId",
            "LastModifiedTimestamp",
            "MaximumMessageSize",
            "Policy",
            "QueueArn",
            "SqsManagedSseEnabled",
        ],
    },
    mapping: MappingKeys {
        queue: "",
        function: "",
        batch_size: "",
        window: "",
        maximum_concurrency: &[],
        response_types: "",
        provisioned: "",
        enabled: "",
        others: &[],
    },
    function: FunctionKeys {
        name: "",
        timeout: "",
        default_timeout_s: LAMBDA_DEFAULT_TIMEOUT_S,
        reserved: "",
        sends_to: &[],
    },
    alarm: AlarmKeys { metric: "", dimensions: "" },
    redrive_form: RedriveForm::Json,
};

/// Terraform's provider for AWS.
pub static TERRAFORM: Dialect = Dialect {
    queue: QueueKeys {
        name: "name",
        fifo: "fifo_queue",
        visibility_timeout: "visibility_timeout_seconds",
        retention: "message_retention_seconds",
        delay: "delay_seconds",
        receive_wait: "receive_wait_time_seconds",
        redrive: "redrive_policy",
        redrive_allow: "redrive_allow_policy",
        others: &[
            "content_based_deduplication",
            "count",
            "deduplication_scope",
            "depends_on",
            "fifo_throughput_limit",
            "for_each",
            "kms_data_key_reuse_period_seconds",
            "kms_master_key_id",
            "lifecycle",
            "max_message_size",
            "name_prefix",
            "policy",
            "provider",
            "provisioner",
            "connection",
            "region",
            "sqs_managed_sse_enabled",
            "tags",
            "tags_all",
            "timeouts",
        ],
    },
    mapping: MappingKeys {
        queue: "event_source_arn",
        function: "function_name",
        batch_size: "batch_size",
        window: "maximum_batching_window_in_seconds",
        maximum_concurrency: &["scaling_config", "maximum_concurrency"],
        response_types: "function_response_types",
        provisioned: "provisioned_poller_config",
        enabled: "enabled",
        others: &[
            "amazon_managed_kafka_event_source_config",
            "bisect_batch_on_function_error",
            "connection",
            "count",
            "depends_on",
            "destination_config",
            "document_db_event_source_config",
            "filter_criteria",
            "for_each",
            "kms_key_arn",
            "lifecycle",
            "logging_config",
            "maximum_record_age_in_seconds",
            "maximum_retry_attempts",
            "metrics_config",
            "parallelization_factor",
            "provider",
            "provisioner",
            "queues",
            "region",
            "scaling_config",
            "self_managed_event_source",
            "self_managed_kafka_event_source_config",
            "source_access_configuration",
            "starting_position",
            "starting_position_timestamp",
            "tags",
            "tags_all",
            "topics",
            "tumbling_window_in_seconds",
        ],
    },
    function: FunctionKeys {
        name: "function_name",
        timeout: "timeout",
        default_timeout_s: LAMBDA_DEFAULT_TIMEOUT_S,
        reserved: "reserved_concurrent_executions",
        sends_to: &["environment"],
    },
    alarm: AlarmKeys { metric: "metric_name", dimensions: "dimensions" },
    redrive_form: RedriveForm::Json,
};

impl QueueKeys {
    /// Every key that a queue takes.
    pub fn all(&self) -> Vec<&'static str> {
        let own = [
            self.name,
            self.fifo,
            self.visibility_timeout,
            self.retention,
            self.delay,
            self.receive_wait,
            self.redrive,
            self.redrive_allow,
        ];
        own.into_iter().chain(self.others.iter().copied()).collect()
    }
}

impl MappingKeys {
    /// Every key that a mapping takes.
    pub fn all(&self) -> Vec<&'static str> {
        let own = [
            self.queue,
            self.function,
            self.batch_size,
            self.window,
            self.response_types,
            self.provisioned,
            self.enabled,
        ];
        own.into_iter().filter(|key| !key.is_empty()).chain(self.others.iter().copied()).collect()
    }
}
