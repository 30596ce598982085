// Limits of fields, read off schemas as contracts have them.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { z } from 'zod'
import { Email, optionalText, text } from './fields.ts'
import { limitsOf } from './limits.ts'

const orEmpty = z
  .literal('')
  .transform(() => undefined)
  .or(text(1, 100))
  .optional()

for (const [name, schema, expected] of [
  ['a text', text(1, 100), { required: true, maxlength: 100 }],
  ['a text with a least length', text(8, 128), { required: true, minlength: 8, maxlength: 128 }],
  ['an optional text', optionalText(500), { maxlength: 500 }],
  ['a text that may be left empty', orEmpty, { maxlength: 100 }],
  ['a text that may be null', text(1, 100).nullable().default(null), { maxlength: 100 }],
  ['an address', Email, { maxlength: 254 }],
  ['a number', z.int(), {}],
] as const) {
  it(`${name} has the limits of its schema`, () => assert.deepEqual(limitsOf(schema), expected))
}
