"""Chains of claims for soundness: recipes of CaptainCook4D, one question for a whole chain, figures by sample size."""
