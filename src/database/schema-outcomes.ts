// What accounts report of versions, and the figures that are made of it; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'

/** That an account downloaded a version: a keyed hash of both, and the day (UTC) when it did so last. It names neither. */
export interface VersionDownloaderTable {
  key: string
  day: string
}

/** What an account reports of a version on one day (UTC). Only the account itself can read that it is its own. */
export interface OutcomeTable {
  /** A keyed hash of the account, the version and the day, so that there is one. */
  id: string
  itemId: string
  /** The version, by its number. */
  number: number
  day: string
  accountId: string
  outcome: 'worked' | 'failed'
  error: string | null
  os: string | null
  arch: string | null
  client: string | null
  clientVersion: string | null
  /** For those who publish versions of the item. */
  text: string | null
  /** A keyed hash of the network that it came from, or of the account where that has no network of its own. */
  network: string
  /** How much it counts, in hundredths. */
  weight: number
  /** Why it does not count, as bits (content/hiding/rules.ts). */
  hidden: Generated<number>
}

/** What the reports of a version come to (library/outcome-figures/rules.ts). */
export interface VersionOutcomesTable {
  itemId: string
  number: number
  /** Reports. */
  worked: number
  failed: number
  /** How many accounts these are of. */
  accounts: number
  /** What they weigh together, in hundredths. */
  weight: number
  /** How many worked by weight, and the lower bound of that; in ten-thousandths. */
  rate: number
  lower: number
  /** JSON: the classes of errors that enough accounts reported. */
  errors: string
}

/** A version whose figures are to be made again. */
export interface StaleOutcomesTable {
  itemId: string
  number: number
  since: string
}

/** An item whose rank is to be found again. */
export interface StaleRankTable {
  itemId: string
  since: string
}

export interface OutcomesDatabase {
  versionDownloader: VersionDownloaderTable
  outcome: OutcomeTable
  versionOutcomes: VersionOutcomesTable
  staleOutcomes: StaleOutcomesTable
  staleRank: StaleRankTable
}
