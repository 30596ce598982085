// How often items and versions were downloaded; schema.ts has the rules for all of it.

/** Downloads of an item in all, also of versions that are gone. */
export interface ItemDownloadsTable {
  itemId: string
  total: number
}

export interface VersionDownloadsTable {
  itemId: string
  version: string
  count: number
}

/** Downloads of an item on one day (UTC) of the last 30. */
export interface DayDownloadsTable {
  itemId: string
  day: string
  count: number
}

/** What was counted already today and yesterday: a keyed hash of the version and the network. */
export interface CountedDownloadTable {
  day: string
  key: string
}

export interface DownloadsDatabase {
  itemDownloads: ItemDownloadsTable
  versionDownloads: VersionDownloadsTable
  dayDownloads: DayDownloadsTable
  countedDownload: CountedDownloadTable
}
