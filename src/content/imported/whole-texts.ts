// Texts that are longer than their field has room for: the field has the beginning, which ends with '…', and the whole is beside it. Imports bring
// such texts; who edits one replaces the whole.
import type { z } from 'zod'
import type { Db } from '../../database/schema.ts'
import type { Origin } from './contract.ts'
import { findOrigin, mapFullTexts } from './queries.ts'

/** What a field ends with whose text goes on. */
export const CUT = '…'

const mayBeCut = (text: string): boolean => text.endsWith(CUT)

/** The same with the whole text where that is longer. */
export async function withWholeTexts<Document extends { id: string; body: string }>(
  db: Db,
  documents: readonly Document[],
): Promise<Document[]> {
  const cut = documents.filter(({ body }) => mayBeCut(body)).map(({ id }) => id)
  const texts = await mapFullTexts(db, cut)
  return documents.map((one) => ({ ...one, body: texts.get(one.id) ?? one.body }))
}

/** Adds the whole texts to what is shown; `texts` are those of its fields. */
export async function addFullTexts(
  db: Db,
  shown: readonly { id: string; fullText?: string }[],
  texts: readonly string[],
): Promise<void> {
  const cut = shown.filter((_, at) => mayBeCut(texts[at] ?? ''))
  if (cut.length === 0) return
  const whole = await mapFullTexts(
    db,
    cut.map(({ id }) => id),
  )
  for (const one of cut) {
    const text = whole.get(one.id)
    if (text !== undefined) one.fullText = text
  }
}

/** Where a thing came from, for who reads that thing. */
export async function originOf(db: Db, id: string): Promise<z.output<z.ZodObject<typeof Origin>>> {
  const found = await findOrigin(db, id)
  if (!found) return {}
  const [source = '', ...name] = found.scope.split(' ')
  return { importedFrom: { source, name: name.join(' '), number: found.number, url: found.url } }
}
