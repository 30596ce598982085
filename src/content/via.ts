// Authorship by agents: a row written with an access token stores the id of the client. Its name and whether that
// is its own are read with the answer, so they are never older than the agent's last consent (behaviour.md, section 2).

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Via, Writers } from '../contract/fields.ts'
import { storedWriter, writerIn } from '../contract/hand-on.ts'
import { isByAgent } from '../contract/own-clients.ts'
import { isVerifiedClient } from '../identity/client-name.ts'
import type { Caller, Context } from '../request/handler.ts'
import { listAgents } from './via-queries.ts'

/** The stored client of a row, with the helpers that it handed its access on to (contract/hand-on.ts). */
export interface ViaColumn {
  viaClientId: string | null
}

/** The column for a row that this caller writes: of a request whose signature was good, with the site whose keys it was made with. */
export const writtenBy = ({ via }: Partial<Pick<Caller, 'via'>>): ViaColumn => ({
  viaClientId:
    via && isByAgent(via) ? storedWriter(via.clientId, { helpers: via.handedOn?.helpers, signer: via.signer }) : null,
})

type ReadContext = Pick<Context, 'db' | 'config'>

/** Resolves the clients of rows. Reads nothing if no agent wrote any. */
export async function viaOf({ db, config }: ReadContext, rows: readonly ViaColumn[]): Promise<(row: ViaColumn) => Via> {
  const ids = [...new Set(rows.flatMap(({ viaClientId }) => (viaClientId ? writerIn(viaClientId).clientId : [])))]
  if (ids.length === 0) return () => null
  const names = new Map((await listAgents(db, ids)).map(({ clientId, name }) => [clientId, name]))
  return ({ viaClientId }) => {
    if (viaClientId === null) return null
    const { clientId, helpers, signer } = writerIn(viaClientId)
    const verified = isVerifiedClient(clientId, config.agentClientId)
    const chain = helpers.length > 0 && { helpers: helpers.map(({ name }) => name) }
    return { clientId, name: names.get(clientId) ?? null, verified, ...chain, ...(signer && { signedBy: signer }) }
  }
}

/** Rows with `via` in place of the column. */
export async function withVia<Row extends ViaColumn>(
  reading: ReadContext,
  rows: readonly Row[],
): Promise<(Omit<Row, 'viaClientId'> & { via: Via })[]> {
  const via = await viaOf(reading, rows)
  return rows.map(({ viaClientId, ...row }) => ({ ...row, via: via({ viaClientId }) }))
}

/** The groups of counters of a row: what agents wrote counts in groups of its own too, and all else is what people wrote. */
export const groupsWith = (groups: readonly string[], { viaClientId }: Partial<ViaColumn>): string[] =>
  viaClientId ? groups.flatMap((group) => [group, agentsIn(group)]) : [...groups]

export const agentsIn = (group: string): string => `agents/${group}`

/** Counts rows of a group by people or by agents; `count` reads the counter of a group. */
export async function countBy(
  count: (group: string) => Promise<number>,
  group: string,
  by: Writers | undefined,
): Promise<number> {
  if (by === undefined) return count(group)
  const ofAgents = await count(agentsIn(group))
  return by === 'agents' ? ofAgents : (await count(group)) - ofAgents
}

/** The rows of a table that people or agents wrote. */
export const isBy = (table: string, by: Writers): RawBuilder<SqlBool> =>
  by === 'agents'
    ? sql<SqlBool>`${sql.ref(`${table}.viaClientId`)} is not null`
    : sql<SqlBool>`${sql.ref(`${table}.viaClientId`)} is null`

/**
 * Who wrote what a list is of, as filters whose names tell them apart: queries are prepared by the names of their filters
 * (listing-queries.ts).
 */
export const byFilter = (by: Writers | undefined): { people?: string; agents?: string } =>
  by === undefined ? {} : { [by]: by }

/** The reverse of `byFilter`. */
export const writersIn = ({ people, agents }: { people?: unknown; agents?: unknown }): Writers | undefined =>
  agents !== undefined ? 'agents' : people !== undefined ? 'people' : undefined
