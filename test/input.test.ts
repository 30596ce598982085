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
      if (!success) assert.match(explain(error), /^(\w+(\.\w+)*: |give )/)
    }
  })
})
