// What the MCP Registry API answers (github.com/modelcontextprotocol/registry, docs/reference/api/openapi.yaml): a version with its server.json
// and what this registry says of it.

import { isProvenName } from '../publishers/name-proof.ts'
import { pathOf } from '../records/record.ts'
import type { ServerRow } from './queries.ts'
import type { ServerFile } from './server-file.ts'

/** Where the API has the words of a registry, and where ours beside those are. */
const OFFICIAL = 'io.modelcontextprotocol.registry/official'
const OWN = 'guildhall/item'

const MAX_MESSAGE = 500

interface Status {
  status: 'active' | 'deprecated' | 'deleted'
  message: string | null
  changedAt: string
}

/**
 * Yanked is deprecated: it is not chosen any more, and there by its number. What an admin withholds is deleted: it is in no list, unless one
 * asks for that.
 */
function statusOf(row: ServerRow): Status {
  const { yankedAt, yankReason: message, yankedByAdmin, deprecation, createdAt } = row
  if (yankedAt !== null) return { status: yankedByAdmin ? 'deleted' : 'deprecated', message, changedAt: yankedAt }
  if (deprecation !== null)
    return { status: 'deprecated', message: deprecation, changedAt: row.lifeAt ?? row.updatedAt }
  return { status: 'active', message: null, changedAt: createdAt }
}

const shortened = (text: string) =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : text

export interface Answering {
  baseUrl: string
  /** Whether the domain in the name of a version proves it. */
  isProven(row: ServerRow): boolean
}

export function answerOf(row: ServerRow, file: ServerFile, { baseUrl, isProven }: Answering): string {
  const { status, message, changedAt } = statusOf(row)
  const { version, sha256, createdAt: publishedAt, lifeAt, updatedAt } = row
  const meta = {
    [OFFICIAL]: {
      status,
      ...(message && { statusMessage: shortened(message) }),
      statusChangedAt: changedAt,
      publishedAt,
      updatedAt: lifeAt !== null && lifeAt > updatedAt ? lifeAt : updatedAt,
      isLatest: row.number === row.latest,
    },
    [OWN]: {
      ...{ url: `${baseUrl}${pathOf(row)}`, version, sha256 },
      verified: isProvenName(file.name, row.payload) || isProven(row),
    },
  }
  return `{"server":${file.text},"_meta":${JSON.stringify(meta)}}`
}

export const listAnswer = (servers: readonly string[], nextCursor: string | null | undefined): string =>
  `{"servers":[${servers.join()}],"metadata":${JSON.stringify({ ...(nextCursor && { nextCursor }), count: servers.length })}}`
