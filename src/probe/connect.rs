//! The client of the AWS SDK, and what its errors mean.

use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::{ProvideCredentials, SharedHttpClient};
use aws_sdk_sqs::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;

use super::error::ProbeError;

/// For a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(4);
/// For one attempt at a call; longer than any long poll here.
const ATTEMPT_LIMIT: Duration = Duration::from_secs(10);
/// Where an endpoint is given, any region will do: the signature needs one.
const REGION_OF_EMULATORS: &str = "us-east-1";

/// A client with the ordinary chain of regions and credentials, which is asked for both at once.
pub async fn connect(endpoint_url: Option<&str>, region: Option<&str>) -> Result<Client, ProbeError> {
    let timeouts =
        TimeoutConfig::builder().connect_timeout(CONNECT_LIMIT).operation_attempt_timeout(ATTEMPT_LIMIT).build();
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .http_client(http_client())
        .retry_config(RetryConfig::standard())
        .timeout_config(timeouts);
    if let Some(region) = region {
        loader = loader.region(Region::new(region.to_owned()));
    }
    if let Some(url) = endpoint_url {
        loader = loader.endpoint_url(url);
    }
    let mut config = loader.load().await;
    if config.region().is_none() {
        if endpoint_url.is_none() {
            return Err(ProbeError::NoRegion);
        }
        config = config.into_builder().region(Region::new(REGION_OF_EMULATORS)).build();
    }
    check_credentials(&config).await?;
    Ok(Client::new(&config))
}

/// The TLS of the SDK's default needs a C++ build of its own; this one does without.
fn http_client() -> SharedHttpClient {
    Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https()
}

/// Later, missing credentials would look like a failed call.
async fn check_credentials(config: &SdkConfig) -> Result<(), ProbeError> {
    let Some(provider) = config.credentials_provider() else {
        return Err(ProbeError::NoCredentials("nothing provides any".to_owned()));
    };
    match provider.provide_credentials().await {
        Ok(_) => Ok(()),
        Err(error) => Err(ProbeError::NoCredentials(innermost(&error))),
    }
}

/// What is at the bottom of an error: the layers above it only say that there is one.
fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

/// A refusal by the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The error code, without the decorations of the protocols.
    pub code: String,
    /// What the service says.
    pub message: String,
}

/// Why a call failed.
#[derive(Debug)]
pub enum Failure {
    /// The service has refused it.
    Refused(Refusal),
    /// The service did not get to it.
    Other(ProbeError),
}

impl Failure {
    /// What an error of the SDK means.
    pub fn of<E>(endpoint: &str, error: SdkError<E>) -> Self
    where
        E: std::error::Error + ProvideErrorMetadata + 'static,
    {
        let endpoint = endpoint.to_owned();
        let not_sqs = |endpoint, cause: String| Self::Other(ProbeError::NotSqs { endpoint, cause });
        match &error {
            SdkError::ServiceError(refusal) => match refusal.err().code() {
                Some(code) => Self::Refused(Refusal {
                    code: plain_code(code).to_owned(),
                    message: refusal.err().message().unwrap_or("no reason given").to_owned(),
                }),
                None => not_sqs(endpoint, format!("HTTP status {}", refusal.raw().status().as_u16())),
            },
            SdkError::ResponseError(_) => not_sqs(endpoint, innermost(&error)),
            SdkError::TimeoutError(_) => {
                Self::Other(ProbeError::Unreachable { endpoint, cause: "it does not answer in time".to_owned() })
            }
            SdkError::DispatchFailure(_) => Self::Other(ProbeError::Unreachable { endpoint, cause: innermost(&error) }),
            _ => Self::Other(ProbeError::System(DisplayErrorContext(&error).to_string())),
        }
    }

    /// The error of a call that should not fail.
    pub fn during(self, action: &'static str) -> ProbeError {
        match self {
            Self::Refused(Refusal { code, message }) if is_denial(&code) => {
                ProbeError::Denied { action, code, message }
            }
            Self::Refused(Refusal { code, message }) => ProbeError::Refused { action, code, message },
            Self::Other(error) => error,
        }
    }
}

/// `AWS.SimpleQueueService.NonExistentQueue` and `com.amazonaws.sqs#QueueDoesNotExist` in short.
fn plain_code(code: &str) -> &str {
    let code = code.rsplit(['.', '#']).next().unwrap_or(code);
    code.strip_suffix("Exception").unwrap_or(code)
}

/// Whether a code says that these credentials will not do.
fn is_denial(code: &str) -> bool {
    const CODES: [&str; 9] = [
        "AccessDenied",
        "AuthFailure",
        "ExpiredToken",
        "IncompleteSignature",
        "InvalidClientTokenId",
        "InvalidSecurity",
        "MissingAuthenticationToken",
        "SignatureDoesNotMatch",
        "UnrecognizedClient",
    ];
    CODES.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lose_what_the_protocols_add() {
        for (code, plain) in [
            ("AWS.SimpleQueueService.NonExistentQueue", "NonExistentQueue"),
            ("com.amazonaws.sqs#QueueDoesNotExist", "QueueDoesNotExist"),
            ("AccessDeniedException", "AccessDenied"),
            ("InvalidParameterValue", "InvalidParameterValue"),
        ] {
            assert_eq!(plain_code(code), plain);
        }
    }

    #[test]
    fn wrong_credentials_end_the_probe_and_other_refusals_do_not() {
        let refused = |code: &str| {
            let refusal = Refusal { code: code.to_owned(), message: "no".to_owned() };
            Failure::Refused(refusal).during("CreateQueue")
        };
        assert!(refused("AccessDenied").ends_the_probe());
        assert!(refused("UnrecognizedClient").ends_the_probe());
        assert!(!refused("InvalidAttributeValue").ends_the_probe());
    }
}
