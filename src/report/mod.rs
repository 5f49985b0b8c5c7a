//! Tables, CSV, JSON and charts.
