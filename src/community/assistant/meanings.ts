// What things mean. A job has the machine say it of everything that everybody may see, and again after a text changed; who is signed in gets
// things that mean about the same beside those that say it in the same words.
import { z } from 'zod'
import { countTry } from '../../budgets/budgets.ts'
import type { Config } from '../../config/config.ts'
import { feedKinds } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import { beginningOf } from '../../contract/storable.ts'
import type { Db } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { findNearest, MAX_DIMENSIONS, storedVector } from '../../search/meaning.ts'
import {
  deleteMeaningsBeside,
  findVector,
  listUnmeant,
  lockTexts,
  upsertMeanings,
} from '../../search/meaning-queries.ts'
import { type Calling, callMachine, type Machine, type Outcome, refusal } from './calling.ts'
import { jsonIn, TOKEN_LENGTH } from './rules.ts'

// Asks the machine of the operator what texts mean: a vector for each (the embeddings of OpenAI's API).

/** Bytes of a number of JSON, with its comma, at most. */
const NUMBER_BYTES = 32

type Embeddings = NonNullable<Machine['embeddings']>
type Meaning = Machine & { embeddings: Embeddings; space: string }

/** The machine that says what texts mean, if there is one; vectors of one `space` can be compared. */
function meaningOf({ ai }: Pick<Config, 'ai'>): Meaning | undefined {
  const { embeddings } = ai ?? {}
  if (!ai || !embeddings) return undefined
  return { ...ai, embeddings, space: sha256(JSON.stringify([embeddings.url, embeddings.model])).slice(0, 16) }
}

interface Texts {
  texts: readonly string[]
  /** It is not asked where the day has fewer tokens left of so many. */
  most: number
  timeoutMilliseconds: number
}

/** A vector for each text, as it is stored; throws as `callMachine` does. */
const embed = (calling: Calling & { db: Db }, ai: Meaning, { texts, ...bounds }: Texts): Promise<Outcome<string[]>> =>
  callMachine(calling, ai, {
    ...bounds,
    url: ai.embeddings.url,
    body: { model: ai.embeddings.model, input: texts, encoding_format: 'float' },
    tokens: Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / TOKEN_LENGTH) + texts.length,
    maxBytes: texts.length * (MAX_DIMENSIONS * NUMBER_BYTES + 1_024),
    read: (body) => {
      const { json, tokens } = jsonIn(body)
      return { value: vectorsIn(json, texts.length), tokens }
    },
  })

const Response = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).max(MAX_DIMENSIONS) })),
})

/** The vectors in the order of their texts; undefined where one is missing. */
function vectorsIn(json: unknown, count: number): string[] | undefined {
  const { data } = Response.safeParse(json)
  if (data?.data.length !== count) return undefined
  const byIndex = new Map(data.data.map(({ index, embedding }) => [index, storedVector(embedding)]))
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index))
  return vectors.every((vector) => vector !== undefined) ? vectors : undefined
}

/** So many texts are asked about at once, and so many old vectors removed. */
export const AT_ONCE = 8
const REMOVED_AT_ONCE = 200
/** So many characters of a thing are sent. */
export const TEXT_LENGTH = 2_000
const TIMEOUT_MILLISECONDS = 20_000
/** Who types a title waits no longer. */
const TITLE_MILLISECONDS = 2_000
/** An account has so many titles compared in an hour; after that by their words alone. */
export const TITLES = { tries: 200, windowSeconds: 3_600 }
/** A shorter one says nothing yet. */
const SHORTEST = 4
/** Of titles that were asked about, the newest are remembered by each process. */
const REMEMBERED = 200
/** With these the machine refuses a text. */
const REFUSED_TEXT = new Set([400, 413, 422])
/** What no machine refuses: it tells whether that is about a text. */
const PLAIN = 'Hello'

type Documents = Awaited<ReturnType<typeof listUnmeant>>

/** Has some things understood. Gives whether there may be more now; rejects where the machine does not answer. */
export async function understandSome(calling: Calling & { db: Db }): Promise<boolean> {
  const { db, config } = calling
  const ai = meaningOf(config)
  const space = ai?.space ?? ''
  const removed = await db.transaction().execute((one) => deleteMeaningsBeside(one, space, REMOVED_AT_ONCE))
  if (removed > 0) return true
  if (!ai) return false
  const documents = await nextUnmeant(db)
  if (documents.length === 0) return false
  const vectors = await vectorsOf(calling, ai, documents).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'rate_limited') return undefined
    throw error
  })
  if (!vectors) return false
  await db.transaction().execute(async (transaction) => {
    const now = await lockTexts(
      transaction,
      documents.map(({ id }) => id),
    )
    const same = now.filter((one) => documents.some((asked) => asked.id === one.id && textOf(asked) === textOf(one)))
    const rows = same.map(({ id, type }) => ({ id, type, space, vector: vectors.get(id) ?? null }))
    await upsertMeanings(transaction, rows, space)
  })
  return true
}

async function nextUnmeant(db: Db): Promise<Documents> {
  const documents: Documents = []
  for (const type of feedKinds) {
    if (documents.length === AT_ONCE) break
    documents.push(...(await listUnmeant(db, { type, limit: AT_ONCE - documents.length })))
  }
  return documents
}

const textOf = ({ title, body }: { title: string; body: string }) => beginningOf(`${title}\n\n${body}`, TEXT_LENGTH)

/** Vectors by the ids of their documents; a text that the machine refuses has none, and holds no other one up. */
async function vectorsOf(calling: Calling & { db: Db }, ai: Meaning, documents: Documents) {
  // Members ask with the other half.
  const bounds = { most: Math.floor(ai.dailyTokens / 2), timeoutMilliseconds: TIMEOUT_MILLISECONDS }
  const ask = (texts: string[]) => embed(calling, ai, { ...bounds, texts })
  const together = await ask(documents.map(textOf))
  if ('value' in together) return new Map(documents.map(({ id }, at) => [id, together.value[at]]))
  if (!REFUSED_TEXT.has(together.refusedWith) || !('value' in (await ask([PLAIN])))) throw refusal(together.refusedWith)
  const vectors = new Map<string, string | undefined>()
  for (const document of documents) {
    const alone = await ask([textOf(document)])
    if (!('value' in alone) && !REFUSED_TEXT.has(alone.refusedWith)) throw refusal(alone.refusedWith)
    vectors.set(document.id, 'value' in alone ? alone.value[0] : undefined)
  }
  return vectors
}

type Asking = Pick<
  Context<Caller | undefined>,
  'db' | 'always' | 'caller' | 'clock' | 'config' | 'log' | 'now' | 'reach'
>
type Title = { title: string; types: readonly (typeof feedKinds)[number][]; limit: number }

/** Finds the ids of things that mean about the same as a title, for who is signed in; none where the machine does not say. */
export function meaningFinder() {
  const remembered = new Map<string, string>()
  return async (context: Asking, { title, types, limit }: Title): Promise<string[]> => {
    const ai = meaningOf(context.config)
    if (!ai || !context.caller || title.trim().length < SHORTEST) return []
    const { space } = ai
    const key = `${space} ${title.trim()}`
    const vector = remembered.get(key) ?? (await vectorOfTitle(context, ai, title.trim()))
    if (vector === undefined) return []
    remembered.delete(key)
    remembered.set(key, vector)
    for (const oldest of remembered.keys()) if (remembered.size > REMEMBERED) remembered.delete(oldest)
    return findNearest(context.db, { space, vector, types, limit })
  }
}

/** The ids of things that mean about the same as one; none where it is not known what that means. Nothing is asked for it. */
export async function findAlike(
  { db, config }: Pick<Asking, 'db' | 'config'>,
  { id, types, limit }: Omit<Title, 'title'> & { id: string },
): Promise<string[]> {
  const { space } = meaningOf(config) ?? {}
  const vector = space && (await findVector(db, { id, space }))
  if (!vector) return []
  const nearest = await findNearest(db, { space, vector, types, limit: limit + 1 })
  return nearest.filter((one) => one !== id).slice(0, limit)
}

async function vectorOfTitle(context: Asking, ai: Meaning, title: string) {
  const { always: db, caller, config, now } = context
  try {
    if (config.rateLimits) await countTry(db, { key: `meaning ${caller?.id}`, limit: TITLES, now })
    const bounds = { most: ai.dailyTokens, timeoutMilliseconds: TITLE_MILLISECONDS }
    const answered = await embed({ ...context, db }, ai, { ...bounds, texts: [title] })
    return 'value' in answered ? answered.value[0] : undefined
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
