//! Expressions: what they come to, as far as the files tell.

use std::ops::Range;

use hcl_edit::Span;
use hcl_edit::expr::{BinaryOp, BinaryOperator, Conditional, Expression, Object, ObjectKey, UnaryOp, UnaryOperator};
use hcl_edit::template::{Element, Template};

use super::evaluate::{DEEPEST, Scope, weight};
use crate::audit::readers::item::{Datum, Entry, FilePlace, Item, Piece, joined};
use crate::text::Place;

/// A stretch of a file.
pub fn spot_of(span: Option<Range<usize>>, file: usize) -> FilePlace {
    let span = span.unwrap_or_default();
    FilePlace { file, place: Place { start: span.start, end: span.end } }
}

impl Scope<'_> {
    /// What an expression comes to.
    pub fn evaluate(&self, expression: &Expression, file: usize) -> Item {
        let spot = spot_of(expression.span(), file);
        let depth = self.depth.get();
        if !self.take(1) || depth > DEEPEST {
            return Item::unresolved(spot, "the expressions are too many to follow");
        }
        self.depth.set(depth + 1);
        let item = self.evaluated(expression, file, spot);
        self.depth.set(depth);
        item
    }

    fn evaluated(&self, expression: &Expression, file: usize, spot: FilePlace) -> Item {
        let value = match expression {
            Expression::Null(_) => Datum::Null,
            Expression::Bool(value) => Datum::Bool(*value.value()),
            Expression::Number(number) => number.value().as_f64().map_or(Datum::Null, Datum::Number),
            Expression::String(text) => Datum::Text(text.as_str().to_owned()),
            Expression::Array(array) => Datum::List(array.iter().map(|item| self.evaluate(item, file)).collect()),
            Expression::Object(object) => self.object(object, file),
            Expression::StringTemplate(template) => self.elements(template.iter(), file),
            Expression::HeredocTemplate(heredoc) => self.template(&heredoc.template, file),
            Expression::Parenthesis(inner) => self.evaluate(inner.inner(), file).value,
            Expression::Traversal(traversal) => return self.traversal(traversal, spot),
            Expression::Conditional(conditional) => self.conditional(conditional, file),
            Expression::FuncCall(call) => self.function(call, file),
            Expression::UnaryOp(operation) => self.unary(operation, file),
            Expression::BinaryOp(operation) => self.binary(operation, file),
            Expression::Variable(name) => Datum::Unresolved(format!("`{}` is only known on deployment", name.as_str())),
            Expression::ForExpr(_) => Datum::Unresolved("a `for` expression is not followed".to_owned()),
        };
        Item::new(spot, value)
    }

    fn object(&self, object: &Object, file: usize) -> Datum {
        let entry = |(key, value): (&ObjectKey, &hcl_edit::expr::ObjectValue)| {
            let item = self.evaluate(value.expr(), file);
            match key {
                ObjectKey::Ident(name) => Entry { key: name.to_string(), key_spot: spot_of(name.span(), file), item },
                ObjectKey::Expression(expression) => Entry {
                    key: self.evaluate(expression, file).scalar().unwrap_or_default(),
                    key_spot: spot_of(expression.span(), file),
                    item,
                },
            }
        };
        Datum::Map(object.iter().map(entry).collect())
    }

    fn template(&self, template: &Template, file: usize) -> Datum {
        self.elements(template.iter(), file)
    }

    fn elements<'e>(&self, elements: impl Iterator<Item = &'e Element>, file: usize) -> Datum {
        let mut pieces = Vec::new();
        for element in elements {
            match element {
                Element::Literal(text) => pieces.push(Piece::Text(text.to_string())),
                Element::Interpolation(inside) => {
                    let item = self.evaluate(&inside.expr, file);
                    if !self.take(weight(&item)) {
                        return Datum::Unresolved("the text is too long to follow".to_owned());
                    }
                    pieces.extend(item.into_pieces());
                }
                Element::Directive(_) => {
                    pieces.push(Piece::Unresolved("a directive in a template is not followed".to_owned()));
                }
            }
        }
        joined(pieces)
    }

    fn conditional(&self, conditional: &Conditional, file: usize) -> Datum {
        match self.evaluate(&conditional.cond_expr, file).value {
            Datum::Bool(true) => self.evaluate(&conditional.true_expr, file).value,
            Datum::Bool(false) => self.evaluate(&conditional.false_expr, file).value,
            condition => {
                let yes = self.evaluate(&conditional.true_expr, file).value;
                let no = self.evaluate(&conditional.false_expr, file).value;
                match condition {
                    _ if yes == no => yes,
                    Datum::Unresolved(why) => Datum::Unresolved(format!("it depends on a condition: {why}")),
                    _ => Datum::Unresolved("it depends on a condition".to_owned()),
                }
            }
        }
    }

    fn unary(&self, operation: &UnaryOp, file: usize) -> Datum {
        match (operation.operator.value(), self.evaluate(&operation.expr, file).value) {
            (UnaryOperator::Neg, Datum::Number(number)) => Datum::Number(-number),
            (UnaryOperator::Not, Datum::Bool(value)) => Datum::Bool(!value),
            (_, open @ Datum::Unresolved(_)) => open,
            _ => Datum::Unresolved("an operation does not fit its value".to_owned()),
        }
    }

    fn binary(&self, operation: &BinaryOp, file: usize) -> Datum {
        let left = self.evaluate(&operation.lhs_expr, file).value;
        let right = self.evaluate(&operation.rhs_expr, file).value;
        let operator = *operation.operator.value();
        if let (Some(left), Some(right)) = (as_number(&left), as_number(&right))
            && let Some(found) = arithmetic(operator, left, right)
        {
            return found;
        }
        match (operator, left, right) {
            (_, open @ Datum::Unresolved(_), _) | (_, _, open @ Datum::Unresolved(_)) => open,
            (BinaryOperator::And, Datum::Bool(left), Datum::Bool(right)) => Datum::Bool(left && right),
            (BinaryOperator::Or, Datum::Bool(left), Datum::Bool(right)) => Datum::Bool(left || right),
            (BinaryOperator::Eq, left, right) if is_plain(&left) && is_plain(&right) => Datum::Bool(left == right),
            (BinaryOperator::NotEq, left, right) if is_plain(&left) && is_plain(&right) => Datum::Bool(left != right),
            _ => Datum::Unresolved("an operation does not fit its values".to_owned()),
        }
    }
}

fn is_plain(value: &Datum) -> bool {
    matches!(value, Datum::Null | Datum::Bool(_) | Datum::Number(_) | Datum::Text(_))
}

fn as_number(value: &Datum) -> Option<f64> {
    match value {
        Datum::Number(number) => Some(*number),
        _ => None,
    }
}

fn arithmetic(operator: BinaryOperator, left: f64, right: f64) -> Option<Datum> {
    let number = match operator {
        BinaryOperator::Plus => left + right,
        BinaryOperator::Minus => left - right,
        BinaryOperator::Mul => left * right,
        BinaryOperator::Div => left / right,
        BinaryOperator::Mod => left % right,
        BinaryOperator::Less => return Some(Datum::Bool(left < right)),
        BinaryOperator::LessEq => return Some(Datum::Bool(left <= right)),
        BinaryOperator::Greater => return Some(Datum::Bool(left > right)),
        BinaryOperator::GreaterEq => return Some(Datum::Bool(left >= right)),
        BinaryOperator::Eq => return Some(Datum::Bool(left == right)),
        BinaryOperator::NotEq => return Some(Datum::Bool(left != right)),
        BinaryOperator::And | BinaryOperator::Or => return None,
    };
    number.is_finite().then_some(Datum::Number(number))
}
