// Asks the machine of the operator what texts mean: a vector for each (the embeddings of OpenAI's API).
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../database/schema.ts'
import { sha256 } from '../../runtime/hash.ts'
import { MAX_DIMENSIONS, storedVector } from '../../search/meaning.ts'
import { type Calling, callMachine, type Machine, type Outcome } from './calling.ts'
import { jsonIn, TOKEN_LENGTH } from './rules.ts'

/** Bytes of a number of JSON, with its comma, at most. */
const NUMBER_BYTES = 32

type Embeddings = NonNullable<Machine['embeddings']>
export type Meaning = Machine & { embeddings: Embeddings; space: string }

/** The machine that says what texts mean, if there is one; vectors of one `space` can be compared. */
export function meaningOf({ ai }: Pick<Config, 'ai'>): Meaning | undefined {
  const { embeddings } = ai ?? {}
  if (!ai || !embeddings) return undefined
  return { ...ai, embeddings, space: sha256(JSON.stringify([embeddings.url, embeddings.model])).slice(0, 16) }
}

export interface Texts {
  texts: readonly string[]
  /** It is not asked where the day has fewer tokens left of so many. */
  most: number
  timeoutMilliseconds: number
}

/** A vector for each text, as it is stored; throws as `callMachine` does. */
export const embed = (
  calling: Calling & { db: Db },
  ai: Meaning,
  { texts, ...bounds }: Texts,
): Promise<Outcome<string[]>> =>
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
