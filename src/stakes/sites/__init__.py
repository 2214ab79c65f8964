"""Several sites: the average one, the next one, and summaries that hold no cases."""

from stakes.sites._pool_sites import pool_sites
from stakes.sites._pooled import PooledNumber, PooledSites, SiteNumber
from stakes.sites._site_collection import both_ways, changes_sign, error_beside_tau
from stakes.sites._site_summary import SiteSummary, site_summary

__all__ = [
    "PooledNumber",
    "PooledSites",
    "SiteNumber",
    "SiteSummary",
    "pool_sites",
    "site_summary",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "both_ways",
    "changes_sign",
    "error_beside_tau",
)
