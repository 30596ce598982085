// Suggestions as callers see them: only of things that everyone sees.

import type { Db } from '../../database/schema.ts'
import { isBlocked } from '../../identity/account-queries.ts'
import type { Context } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { shows } from '../hiding/rules.ts'
import type { HideableKind, Thing } from '../things.ts'
import { viaOf } from '../via.ts'
import type { SuggestionRow } from './queries.ts'
import { findSuggestible, mayDecide, type Suggestible } from './rules.ts'

export interface Suggesting {
  suggestible: ReadonlyMap<string, Suggestible>
  hidings: ReadonlyMap<string, HideableKind>
}

/** The thing of a suggestion; undefined where not everyone sees it. */
export async function findOpenThing(
  db: Db,
  hidings: Suggesting['hidings'],
  { type, id }: { type: string; id: string },
): Promise<Thing | undefined> {
  const thing = await hidings.get(type)?.find(db, id)
  if (!thing || !shows(thing) || (await isBlocked(db, thing.authorId))) return undefined
  return thing
}

type ShowContext = Pick<Context, 'db' | 'caller' | 'config'>

/** Leaves out those whose thing is gone or hidden, and those of parts that are off. */
export async function shownSuggestions(
  context: ShowContext,
  { suggestible, hidings }: Suggesting,
  rows: readonly SuggestionRow[],
) {
  const { db, caller } = context
  const via = await viaOf(context, rows)
  const things = await findThings(db, hidings, rows)
  return rows.flatMap((row) => {
    const { targetType: type, targetId: id, viaClientId, ...stored } = row
    const [thing, known] = [things.get(id), findSuggestible(suggestible, context.config, row.operation)]
    if (!thing || !known) return []
    const waits = row.state === 'waiting'
    return {
      ...stored,
      target: { type, id, title: thing.title, url: thing.url },
      summary: known.operation.summary,
      input: parseJson<Record<string, unknown>>(row.input),
      confidence: row.confidence / 100,
      via: via({ viaClientId }),
      can: {
        decide: waits && caller !== undefined && mayDecide(caller, known, thing),
        withdraw: waits && caller?.id === row.authorId,
      },
    }
  })
}

async function findThings(db: Db, hidings: Suggesting['hidings'], rows: readonly SuggestionRow[]) {
  const types = new Map(rows.map(({ targetId: id, targetType: type }) => [id, type]))
  const found = await Promise.all([...types].map(([id, type]) => findOpenThing(db, hidings, { type, id })))
  return new Map(found.flatMap((thing) => (thing ? [[thing.id, thing] as const] : [])))
}
