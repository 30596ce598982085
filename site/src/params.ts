// Route parameters with a fixed set of values.
import { defineParams } from '@sveltejs/kit/params'
import { docs, handbook, texts } from '#lib/documents.ts'
import { oneOf } from '#lib/features/library/item-lists.ts'
import { oneOf as oneSubject } from '#lib/subjects.ts'

const doc = (segment: string) => [...docs, ...handbook].find(({ name }) => name === segment)?.name
const text = (segment: string) => texts.find((name) => name === segment)

/** Of a bug, a feature request or a post. */
const number = (segment: string) => (/^[1-9]\d{0,8}$/.test(segment) ? segment : undefined)

export const params = defineParams({ libraryKind: oneOf, subject: oneSubject, doc, text, number })
