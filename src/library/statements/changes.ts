// The log as a list of changes, for mirrors: each entry with the item and the version as they are now.
import type { Context } from '../../request/handler.ts'
import { readLog } from '../../transparency/serving.ts'
import { artifactUrl, itemsOf } from '../record.ts'
import * as queries from './queries.ts'

export async function listChanges(context: Context, { after, limit }: { after: number; limit: number }) {
  const { db, config, now } = context
  const entries = await readLog(context).entries(after + 1, limit)
  const ids = [...new Set(entries.map(({ itemId }) => itemId))]
  const rows = await queries.listShown(db, ids)
  const items = new Map((await itemsOf({ db, config, now, caller: undefined }, rows)).map((item) => [item.id, item]))
  const versions = await queries.listVersionsOf(db, [...items.keys()])
  const changes = entries.map(({ position, type, at, text, itemId, version }) => {
    const found = versions.find((row) => row.itemId === itemId && row.version === version)
    return {
      ...{ index: position ?? 0, type, at: at ?? '', entry: text, item_id: itemId },
      item: items.get(itemId) ?? null,
      version: found ? versionOf(found, artifactUrl(config.baseUrl, itemId)) : null,
    }
  })
  return { changes, next: changes.at(-1)?.index ?? after, size: await readLog(context).size() }
}

function versionOf(
  { version, sha256, size, createdAt, yankedAt }: Awaited<ReturnType<typeof queries.listVersionsOf>>[number],
  url: string,
) {
  const artifact_url = `${url}?version=${encodeURIComponent(version)}`
  return { version, sha256, size, created_at: createdAt, artifact_url, yanked_at: yankedAt }
}
