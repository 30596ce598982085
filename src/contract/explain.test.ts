// What is said of an input that is not as it should be.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { z } from 'zod'
import { explain } from './explain.ts'

function said(schema: z.ZodType, given: unknown): string {
  const { error } = schema.safeParse(given)
  assert.ok(error)
  return explain(error, given)
}

it('What is missing is told from what has another type', () => {
  const schema = z.object({ a: z.object({ list: z.array(z.int()) }) })
  assert.deepEqual(
    [{}, { a: 1 }, { a: {} }, { a: { list: {} } }, { a: { list: [1.5] } }, { a: { list: [1, null] } }, null].map(
      (given) => said(schema, given),
    ),
    [
      'a: is required',
      'a: must be an object',
      'a.list: is required',
      'a.list: must be an array',
      'a.list.0: must be an integer',
      'a.list.1: must be a number',
      'must be an object',
    ],
  )
  assert.equal(said(z.record(z.string(), z.string()), []), 'must be an object')
  // A name of every object is no field of what was given.
  assert.equal(said(z.object({ constructor: z.string() }), {}), 'constructor: is required')
})

it('A union says all that it takes', () => {
  const values = z.union([z.enum(['x', 'y']), z.literal('all'), z.null()])
  assert.equal(said(values, 'z'), 'must be one of x, y, all or null')
  assert.equal(said(values, undefined), 'is required')
  assert.equal(said(z.union([z.string(), z.array(z.string()), z.string().trim()]), 5), 'must be a string or an array')
  assert.equal(
    said(z.union([z.literal(1), z.literal(-1)], 'must be the number 1 or -1'), 5),
    'must be the number 1 or -1',
  )
  const forms = z.union([z.object({ id: z.string() }), z.object({ name: z.string() })])
  assert.equal(said(z.object({ item: forms }), { item: { id: 5 } }), 'item: id: must be a string')
  assert.equal(said(z.union([z.string().max(2), z.int()]), 'abc'), 'must have at most 2 characters')
})
