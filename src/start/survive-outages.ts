// A promise that fails while nothing waits for it ends the process. When a database goes, all reads fail at once, and one of them may
// be such a promise: it is reported as every outage is, and the process goes on. Any other error ends it as before.
import type { StorageHealth } from '../runtime/storage-health.ts'

export function surviveOutages(health: Pick<StorageHealth, 'report'>): void {
  process.on('unhandledRejection', (error) => {
    if (!health.report(error, { awaited: false })) throw error
  })
}
