// Texts of both sides: how one looks on the other, and a text that is longer than its field here, which is kept whole beside it.
import { deleteFullText, insertFullText, mapFullTexts } from '../../content/imported/queries.ts'
import { oneLine } from '../../contract/storable.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { cutText, longestTexts, MAX_TITLE } from '../imports/imports.ts'
import { type Common, type Mark, marked, textHere, textThere, unmarked } from './rules.ts'
import type { Syncing } from './syncing.ts'

const EMPTY = '(no text)'

/** A title from there as it is here. */
export const titleHere = (title: string): string =>
  cutText(oneLine(title.replaceAll('\0', '').toWellFormed()).trim() || EMPTY, MAX_TITLE).text

/** A text from there as it is here, whole. */
export const wholeHere = (
  { tracker: { name }, there: { dialect } }: Pick<Syncing, 'tracker' | 'there'>,
  text: string,
  { made }: Pick<Common, 'made'>,
): string => textHere(made === 'here' ? unmarked(text) : text, name, dialect).trim() || EMPTY

/** The same as its field has it, and what is stored beside that. */
export function fieldOf(whole: string, type: 'bug' | 'comment') {
  const { text, isCut } = cutText(whole, longestTexts[type])
  return {
    text,
    keep: async (db: Transaction, { id }: { id: string }) => {
      await deleteFullText(db, id)
      if (isCut) await insertFullText(db, { thingId: id, text: whole })
    },
  }
}

/** A text from here, whole. */
export const wholeOf = async (db: Db, id: string, field: string): Promise<string> =>
  (await mapFullTexts(db, [id])).get(id) ?? field

interface SignedText extends Pick<Mark, 'type' | 'id'> {
  text: string
  author: string | null
  made: Common['made']
}

/** A text from here as it is there: with a mark of who wrote it, where it was written here first. */
export function bodyThere(
  { tracker, there: { dialect }, dependencies: { config }, key }: Syncing,
  { text, author, made, type, id }: SignedText,
): string {
  const said = cutText(textThere(text, tracker.name, dialect), dialect.maxText).text
  if (made === 'there') return said
  const path = type === 'bug' ? `bugs/${id}` : `comments/${id}`
  const mark = { type, id, author: author ?? 'A member', site: config.name, url: `${config.baseUrl}/community/${path}` }
  return marked(said, mark, dialect.hidesMarks ? key : undefined)
}
