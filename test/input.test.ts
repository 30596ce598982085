// For any input, the parsers return an error in the format of the API and never a server error.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { api } from '../src/api.ts'
import { explain } from '../src/contract/explain.ts'
import { Email, PageNumber, text } from '../src/contract/fields.ts'
import type { Contract, Operation } from '../src/contract/operation.ts'
import { requestOf } from '../src/surfaces/client.ts'
import { anyCharacters } from './any-text.ts'
import { BASE_URL, onEveryEngine } from './world.ts'

const operations: Operation[] = Object.values(api as Record<string, Contract>).flatMap((contract) =>
  Object.values(contract),
)

const anyText = fc.oneof(
  anyCharacters,
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', '\u0000', '\ud800', '../..', "' or 1=1 --"),
)
const anyValue = fc.oneof(
  anyText,
  fc.jsonValue(),
  fc.double(),
  fc.constant(null),
  fc.array(anyText),
  fc.dictionary(anyText, anyText),
)

onEveryEngine('any input to any operation', (it) => {
  it('is answered below 500', async ({ moderator, blocked, alice }) => {
    await Promise.all([moderator.account(), alice.account(), blocked.account()])
    const call = fc.record({
      operation: fc.constantFrom(...operations.filter(({ upload, path }) => !upload && !path.endsWith('/sign-out'))),
      values: fc.array(anyValue, { minLength: 8, maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(call, async ({ operation, values }) => {
        const names = Object.keys(operation.input.shape)
        const input = Object.fromEntries(names.map((name, index) => [name, values[index]]))
        const request = requestIfPossible(operation, input)
        if (!request) return
        const { pathname, search } = new URL(request.url)
        const body = request.body === null ? undefined : await request.text()
        const response = await moderator.request(pathname + search, {
          method: request.method,
          headers: { 'Content-Type': 'application/json' },
          ...(body !== undefined && { body }),
        })
        assert.ok(response.status < 500, `${operation.method} ${pathname}${search} ${body}: ${response.status}`)
      }),
      { numRuns: 300 },
    )
  })
})

onEveryEngine('a value of another type', (it) => {
  it('is told from one that is missing, and what is taken is said', async ({ moderator }) => {
    const said = async (path: string, body?: object) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
      const answer = await moderator.request(`/api/${path}`, body && init)
      assert.equal(answer.status, 400)
      const { error } = (await answer.json()) as { error: string | { message: string } }
      return typeof error === 'string' ? error : error.message
    }
    const release = { title: 'T', body: 'B' }
    assert.deepEqual(
      [
        await said('community/posts', { body: 'B' }),
        await said('community/posts', { title: 5, body: 'B' }),
        await said('community/posts', { title: null, body: 'B' }),
        await said('community/posts', { title: 'T', body: 'B', board: null }),
        await said('community/posts', { title: ['T'], body: 'B' }),
        await said('community/changelog', { ...release, draft: 'yes' }),
        await said('library/items?kind=none'),
        await said('library/items?per_page=many'),
        await said('library/items?per_page=1.5'),
        await said('library/log/consistency?old=1'),
      ],
      [
        'title: is required',
        'title: must be a string',
        'title: must be a string',
        'board: must be a string',
        'title: must be a string',
        'draft: must be a boolean',
        'kind: must be one of all, workflow, automation, org, skill, mcp-server',
        'per_page: must be a number',
        'per_page: must be an integer',
        'size: is required',
      ],
    )
  })
})

/** Undefined where the input cannot even be written as a URL. */
function requestIfPossible(operation: Operation, input: Record<string, unknown>): Request | undefined {
  try {
    return requestOf(operation, input, { baseUrl: BASE_URL })
  } catch {
    return undefined
  }
}

describe('fields', () => {
  it('keep text trimmed and within its length, or refuse it', () => {
    const field = text(1, 10)
    fc.assert(
      fc.property(anyText, (given) => {
        const trimmed = given.trim()
        const { success, data } = field.safeParse(given)
        assert.equal(
          success,
          trimmed.length >= 1 && trimmed.length <= 10 && !trimmed.includes('\0') && trimmed.isWellFormed(),
        )
        if (success) assert.equal(data, trimmed)
      }),
    )
  })

  it('take any page for a whole number from 0', () => {
    fc.assert(
      fc.property(anyValue, (given) => {
        const page = PageNumber.parse(given)
        assert.ok(Number.isSafeInteger(page) && page >= 0)
      }),
    )
  })

  it('keep addresses in lower case', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const { success, data } = Email.safeParse(` ${address.toUpperCase()} `)
        if (success) assert.equal(data, address.toLowerCase())
      }),
    )
  })

  it('are named in what is said about them', () => {
    for (const operation of operations) {
      const { success, error } = operation.input.safeParse({})
      if (!success) assert.match(explain(error, {}), /^(\w+(\.\w+)*: |give )/)
    }
  })
})
