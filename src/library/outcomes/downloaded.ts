// Which account downloaded which version, for its reports alone: a keyed hash that names neither, kept for 90 days.
import type { Context, Dependencies } from '../../request/handler.ts'
import { keyedHash } from '../../runtime/hash.ts'
import { outageOf } from '../../runtime/outage.ts'
import { isWhole } from '../downloads/downloads.ts'
import type { ItemRow, StoredVersion } from '../items/queries.ts'
import { findDownloadDay, keepDownload } from '../outcome-figures/queries.ts'
import { REPORTABLE_DAYS } from '../outcome-figures/rules.ts'
import { dayOf } from './counting.ts'

/** The secret that hashes of accounts, networks and versions are made with. */
export const outcomeSecret = ({ secretFor }: Pick<Dependencies, 'secretFor'>): Promise<Buffer> => secretFor('outcomes')

interface AccountDownload {
  accountId: string
  itemId: string
  version: string
}

const keyOf = async (dependencies: Pick<Dependencies, 'secretFor'>, { accountId, itemId, version }: AccountDownload) =>
  keyedHash(await outcomeSecret(dependencies), accountId, 'downloader', itemId, version)

/** Notes that the caller downloads the whole file of a version. A download does not wait for a disk that refuses writes. */
export async function noteDownloader(
  context: Context,
  { id: itemId, visibility }: Pick<ItemRow, 'id' | 'visibility'>,
  { version, sha256 }: Pick<StoredVersion, 'version' | 'sha256'>,
): Promise<void> {
  const { caller, db, now, request } = context
  if (!caller || visibility === 'private' || !isWhole(request, sha256)) return
  const key = await keyOf(context, { accountId: caller.id, itemId, version })
  const today = dayOf(now)
  try {
    if ((await findDownloadDay(db, key)) !== today) await keepDownload(db, key, today)
  } catch (error) {
    if (!outageOf(error)) throw error
  }
}

/** Whether an account downloaded a version in the last 90 days. */
export async function hasDownloaded(
  context: Pick<Dependencies, 'db' | 'secretFor'> & { now: string },
  download: AccountDownload,
): Promise<boolean> {
  const day = await findDownloadDay(context.db, await keyOf(context, download))
  return day !== undefined && day >= dayOf(context.now, REPORTABLE_DAYS)
}
