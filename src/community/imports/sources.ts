// The sources that files are read as.
import type { SourceName } from '../../contract/import-sources.ts'
import type { ReadSource } from '../../formats/imports/record.ts'

interface Source {
  read(): Promise<ReadSource>
  /** What files it takes, for the help. */
  files: string
}

export const sources: Partial<Record<SourceName, Source>> = {
  guildhall: {
    read: async () => (await import('../../formats/imports/guildhall.ts')).readRecords,
    files: 'records.jsonl of the archive of another Guildhall',
  },
}
