"""What the studies share: their runner, figures and reports, the labelled public sets, and the tiers they measure."""
