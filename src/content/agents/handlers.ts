// Handlers for agents as everyone sees them. An agent that wrote nothing in public is not found: its accounts stay private.

import { feedKinds } from '../../contract/kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { pageBefore } from '../../database/cursor.ts'
import { isDocumentUrl, isScript, isVerifiedClient } from '../../identity/client-name.ts'
import type { Handlers } from '../../request/handler.ts'
import { type BlogTitle, parentTitleOf } from '../blog-title.ts'
import { preview } from '../preview.ts'
import { listAgents, listWritten } from '../via-queries.ts'
import type { agents } from './contract.ts'

const types = [...feedKinds, 'comment'] as const
type WorkType = (typeof types)[number]
const isWork = (type: string): type is WorkType => types.some((one) => one === type)

export function agentHandlers(blogTitle: BlogTitle): Handlers<typeof agents> {
  return {
    async get({ db, config }, { clientId, ...request }) {
      const off = partsOff(config)
      const [known] = await listAgents(db, [clientId])
      const { items: rows, ...page } = await pageBefore(request, ['agent', clientId], async (wanted) =>
        known ? listWritten(db, { clientId, off, ...wanted }) : [],
      )
      const hasWritten = rows.length > 0 || (known && (await listWritten(db, { clientId, off, limit: 1 })).length > 0)
      if (!known || !hasWritten) throw new Problem('not_found', 'No such agent')
      const shown = await Promise.all(rows.map((row) => workOf(row, { blogTitle, site: config.name })))
      const items = shown.filter((one) => one !== undefined)
      return {
        agent: {
          clientId,
          name: known.name,
          verified: isVerifiedClient(clientId, config.agentClientId),
          origin: originOf(clientId, config.agentClientId),
          site: isDocumentUrl(clientId) ? (URL.parse(clientId)?.host ?? null) : null,
        },
        members: membersOf(items),
        items,
        ...page,
      }
    },
  }
}

function originOf(clientId: string, agentClientId: string) {
  if (clientId === agentClientId) return 'operator'
  if (isScript(clientId)) return 'script'
  return isDocumentUrl(clientId) ? 'document' : 'registered'
}

type Row = Awaited<ReturnType<typeof listWritten>>[number]

/** Undefined for a comment on a blog post that is gone. */
async function workOf(row: Row, blog: Parameters<typeof parentTitleOf>[1]) {
  const { id, type, title, body, url, authorId, authorUsername, createdAt } = row
  const named = await parentTitleOf(row, blog)
  if (named === undefined || authorId === null || createdAt === null || !isWork(type)) return undefined
  return { type, id, title: named ?? title, preview: preview(body), authorId, authorUsername, createdAt, url }
}

/** Each once, in the order of what they had it write. */
function membersOf(items: readonly { authorId: string; authorUsername: string | null }[]) {
  const names = new Map(items.map(({ authorId, authorUsername }) => [authorId, authorUsername]))
  return [...names].map(([id, username]) => ({ id, username }))
}
