"""What a consumer reads of an audit: report, trace, verdict, shares, the log of events, appeals."""
