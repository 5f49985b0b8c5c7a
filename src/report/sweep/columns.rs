//! `sweep.parquet`: what `sweep.csv` has, for data frames; axes of numbers are numbers, in the unit of the axis.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::measure::Metric;
use crate::report::{ReportError, words};
use crate::scenario::AxisUnit;
use crate::study::{Estimate, SweepResult};

/// A column and its values, a row each.
enum Column {
    Words(String, Vec<ByteArray>),
    Numbers(String, Vec<Option<f64>>),
}

/// The file.
pub fn parquet(result: &SweepResult) -> Result<Vec<u8>, ReportError> {
    written(&columns(result)).map_err(|error| ReportError::Render { file: "sweep.parquet", reason: error.to_string() })
}

/// A row: a point, a variant and a metric.
fn rows(result: &SweepResult) -> impl Iterator<Item = (usize, usize, Metric)> + '_ {
    let variants = result.facts.variants.len();
    (0..result.facts.points()).flat_map(move |point| {
        (0..variants).flat_map(move |variant| Metric::ALL.iter().map(move |metric| (point, variant, *metric)))
    })
}

fn columns(result: &SweepResult) -> Vec<Column> {
    let facts = &result.facts;
    let coordinates: Vec<Vec<usize>> = (0..facts.points()).map(|point| facts.coordinates(point)).collect();
    let axes = facts.axes.iter().enumerate().map(|(number, axis)| {
        let values = rows(result).map(|(point, ..)| &axis.values[coordinates[point][number]]);
        match axis.unit {
            AxisUnit::Word => {
                Column::Words(axis.path.clone(), values.map(|value| value.label.as_str().into()).collect())
            }
            _ => Column::Numbers(axis.path.clone(), values.map(|value| value.number).collect()),
        }
    });
    let text = |name: &str, of: &dyn Fn(usize, Metric) -> String| {
        let values = rows(result).map(|(_, variant, metric)| of(variant, metric).into_bytes().into());
        Column::Words(name.to_owned(), values.collect())
    };
    let number = |name: &str, of: fn(Estimate) -> f64| {
        let found = rows(result).map(|(point, variant, metric)| result.metric(point, variant, metric));
        Column::Numbers(name.to_owned(), found.map(|found| found.map(of)).collect())
    };
    let rest = [
        text("variant", &|variant, _| facts.variants[variant].clone()),
        text("metric", &|_, metric| metric.name().to_owned()),
        text("unit", &|_, metric| metric.unit().to_owned()),
        number("mean", |found| found.mean),
        number("half_width", words::half_width),
        number("lo", |found| found.lo),
        number("hi", |found| found.hi),
        number("min", |found| found.min),
        number("max", |found| found.max),
    ];
    axes.chain(rest).collect()
}

fn written(columns: &[Column]) -> Result<Vec<u8>, ParquetError> {
    let fields = columns.iter().map(|column| column.field().map(Arc::new)).collect::<Result<_, _>>()?;
    let schema = Type::group_type_builder("sweep").with_fields(fields).build()?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for column in columns {
        let Some(mut target) = group.next_column()? else { break };
        match column {
            Column::Words(_, values) => {
                target.typed::<ByteArrayType>().write_batch(values, None, None)?;
            }
            Column::Numbers(_, values) => {
                let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
                let defined: Vec<f64> = values.iter().copied().flatten().collect();
                target.typed::<DoubleType>().write_batch(&defined, Some(&levels), None)?;
            }
        }
        target.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(bytes)
}

impl Column {
    fn field(&self) -> Result<Type, ParquetError> {
        match self {
            Self::Words(name, _) => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String))
                .with_repetition(Repetition::REQUIRED)
                .build(),
            Self::Numbers(name, _) => {
                Type::primitive_type_builder(name, Physical::DOUBLE).with_repetition(Repetition::OPTIONAL).build()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let columns = [
            Column::Words("kind".to_owned(), vec!["a".into(), "b".into()]),
            Column::Numbers("mean".to_owned(), vec![None, Some(0.5)]),
        ];
        let bytes = written(&columns).expect("a file");
        assert_eq!(bytes, written(&columns).expect("a file"), "the same bytes");
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(&bytes).expect("it can be written");
        let reader = SerializedFileReader::new(file).expect("a file");
        let rows: Vec<Vec<Field>> = reader
            .get_row_iter(None)
            .expect("rows")
            .map(|row| row.expect("a row").get_column_iter().map(|(_, field)| field.clone()).collect())
            .collect();
        let word = |text: &str| Field::Str(text.to_owned());
        assert_eq!(rows, [vec![word("a"), Field::Null], vec![word("b"), Field::Double(0.5)]]);
    }
}
