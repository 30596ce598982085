// A document of the search: what a thing is found by and what a hit shows of it. Pure: its terms follow from its texts alone.

import type { SearchType } from '../contract/kinds.ts'
import { beginningOf } from '../contract/storable.ts'
import { stemOf } from './stem.ts'
import { nameKey, wordsIn } from './words.ts'

/** Increase it when the documents of things or their terms change: then the index of every database is built again (building.ts). */
export const SEARCH_VERSION = 3

export interface Document {
  /** Of the thing, unique over all types. */
  id: string
  type: SearchType
  /** Whose it is: nothing of a blocked account is found. null for labels, tags and teams. */
  authorId: string | null
  /** What a comment is on. It is found only while that is. */
  parentType: string | null
  parentId: string | null
  /** Empty for a comment, which shows the title of its parent. */
  title: string
  /** Other names of it, such as a slug or a username, one a line. */
  names: string
  /** Without Markdown. */
  body: string
  /** Below the origin. */
  url: string
  /** null for labels and tags. */
  createdAt: string | null
  /** The client with which an agent wrote it. */
  viaClientId: string | null
}

export type NewDocument = Pick<Document, 'id' | 'type' | 'authorId' | 'title' | 'body' | 'url' | 'createdAt'> &
  Partial<Pick<Document, 'parentType' | 'parentId' | 'names' | 'viaClientId'>>

/** So much of a text is found. */
export const MAX_BODY = 20_000
const MAX_TITLE = 300

/** Marks a term that is in the title or is a name, and the whole of a title or a name. No word has these characters. */
export const inTitle = (term: string): string => `=${term}`
export const asName = (key: string): string => `==${key}`

/** A thing as it is stored for the search: Markdown without its marks, and texts as long as they are looked through. */
export const documentOf = (given: NewDocument): Document => {
  const { id, type, authorId, parentType = null, parentId = null, title, names = '', body, url, createdAt } = given
  const { viaClientId = null } = given
  const texts = { title: beginningOf(title, MAX_TITLE), names, body: plainText(body) }
  return { id, type, authorId, parentType, parentId, ...texts, url, createdAt, viaClientId }
}

/** Markdown as one line without its marks. */
function plainText(markdown: string): string {
  return beginningOf(markdown, MAX_BODY)
    .replace(/\[\^[^\]\s]{1,300}\]:?/g, '')
    .replace(/!?\[([^\]\n]{0,300})\]\([^)\s]{0,500}\)/g, '$1')
    .replace(/^ {0,3}(?:#{1,6}|[-*+>]|\d{1,9}\.)[ \t]+/gm, '')
    .replace(/[*`~|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export interface Terms {
  /** What the index has of a document, each once, in order. */
  terms: string[]
  /** Its words as they are written, each with its term: for beginnings of words and for typing errors. */
  words: Map<string, string>
}

/** What a document is found by. */
export function termsOf({ title, names, body }: Pick<Document, 'title' | 'names' | 'body'>): Terms {
  const terms = new Set<string>()
  const words = new Map<string, string>()
  const add = (text: string, isTitle: boolean) => {
    for (const { whole, parts } of wordsIn(text)) {
      for (const word of parts.length === 1 && parts[0] === whole ? parts : [whole, ...parts]) {
        const term = stemOf(word)
        words.set(word, term)
        terms.add(term)
        if (isTitle) terms.add(inTitle(term))
      }
    }
  }
  for (const name of [title, ...names.split('\n')].filter(Boolean)) {
    add(name, true)
    const key = nameKey(name)
    if (key) terms.add(asName(key))
  }
  add(body, false)
  return { terms: [...terms].sort(), words }
}

const SHORTEST_CORRECTED = 3
const LONGEST_CORRECTED = 24

/** A word backwards, if typing errors in it are corrected: letters only. Otherwise null. */
export const reversedOf = (word: string): string | null =>
  word.length >= SHORTEST_CORRECTED && word.length <= LONGEST_CORRECTED && /^\p{L}+$/u.test(word)
    ? [...word].reverse().join('')
    : null

/** One document in 64 is counted, by its id: what is counted in every write would make all of them wait for each other. */
const SHARE = 64
export const isCounted = (id: string): boolean => {
  let hash = 2_166_136_261
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 16_777_619)
  return (hash >>> 8) % SHARE === 0
}
/** How many documents there are of one that is counted. */
export const COUNTED_SHARE = SHARE
