//! The document around the page: one file, which reaches for nothing outside itself.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

/// The library that draws; MIT, see `assets/uplot/`.
const UPLOT: &str = include_str!("../../../assets/uplot/uPlot.iife.min.js");
const UPLOT_STYLE: &str = include_str!("../../../assets/uplot/uPlot.min.css");
const LICENCE: &str = include_str!("../../../assets/uplot/LICENSE");
const SCRIPT: &str = include_str!("../../../assets/page/page.js");
const STYLE: &str = include_str!("../../../assets/page/page.css");

/// The page with what it needs to be shown; `data` is JSON in which nothing means anything to HTML.
pub fn whole(title: &str, body: Markup, data: &str) -> String {
    let style = format!("{UPLOT_STYLE}\n{STYLE}");
    let uplot = format!("/*!\n{LICENCE}*/\n{UPLOT}");
    let policy = policy(&[&uplot, SCRIPT], &style);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(concat!("retrystorm ", env!("CARGO_PKG_VERSION")));
                title { (title) " · retrystorm" }
                style { (PreEscaped(&style)) }
            }
            body {
                a.skip href="#main" { "Skip to the answer" }
                (body)
                footer {
                    p.muted {
                        "Made by retrystorm " (env!("CARGO_PKG_VERSION"))
                        ". This page needs no network. Its charts are drawn with uPlot (MIT)."
                    }
                }
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(&uplot)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// What the page may do: show its own style, run its own two scripts, and nothing else.
fn policy(scripts: &[&str], style: &str) -> String {
    let hashes: Vec<String> = scripts.iter().map(|script| hash(script)).collect();
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hashes.join(" "),
        hash(style)
    )
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_that_of_the_text() {
        assert_eq!(hash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }

    #[test]
    fn what_is_embedded_cannot_end_its_element() {
        for text in [UPLOT, SCRIPT, LICENCE] {
            assert!(!text.contains("</script") && !text.contains("<!--"));
        }
        assert!(!STYLE.contains("</") && !UPLOT_STYLE.contains("</"));
        assert!(
            ![UPLOT, SCRIPT, STYLE, UPLOT_STYLE].iter().any(|text| text.contains('\r')),
            "a browser would hash another text"
        );
    }
}
