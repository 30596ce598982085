// The table of operations, against the contracts that it is made from.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { api } from '../../src/api.ts'
import type { Contract, Operation } from '../../src/contract/operation.ts'
import { requestOf as contractRequest } from '../../src/surfaces/client.ts'
import { exampleOf } from '../../src/surfaces/openapi/examples.ts'
import { operations } from '../src/derived/operations.ts'
import { InputError } from '../src/errors.ts'
import { requestOf } from '../src/request.ts'
import { clientWith, URL_OF_SERVER } from './platform.ts'

const all = Object.entries<Contract>(api).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]) => ({ slice, verb, operation })),
)

/** An input with everything in it: fields from the examples of the contract, and a file of each kind. */
function fullInput({ input, upload, deferredBody }: Operation): Record<string, unknown> {
  const schemas = [input, ...(upload ? [upload.fields] : []), ...(deferredBody ? [deferredBody] : [])]
  const files = Object.keys(upload?.files ?? {}).map((name) => [name, new File(['content'], `${name}.txt`)])
  return Object.assign({}, ...schemas.map((schema) => exampleOf(schema, 'input')), Object.fromEntries(files))
}

/** A form as its names, its texts and the names of its files. */
async function bodyOf(request: Request): Promise<unknown> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) return request.text()
  const form = await request.formData()
  return [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name])
}

describe('the table of operations', () => {
  it('has every operation of the API, under the same name', () => {
    const names = Object.entries(operations).flatMap(([slice, rows]) =>
      Object.keys(rows).map((verb) => `${slice}.${verb}`),
    )
    assert.deepEqual(
      names,
      all.map(({ slice, verb }) => `${slice}.${verb}`),
    )
  })

  it('makes the same request of an input as the client in process, for every operation', async () => {
    for (const { slice, verb, operation } of all) {
      const input = fullInput(operation)
      const row = operations[slice]![verb]!
      const { url, ...parts } = await requestOf(`${slice}.${verb}`, row, { url: URL_OF_SERVER, input })
      const made = new Request(url, parts)
      const expected = contractRequest(operation, input, { baseUrl: URL_OF_SERVER })
      const name = `${slice}.${verb}`
      assert.equal(made.url, expected.url, name)
      assert.equal(made.method, expected.method, name)
      assert.deepEqual(await bodyOf(made), await bodyOf(expected), name)
    }
  })

  it('lets `all` stand for the entries of the list of a slice, and no operation has that name', () => {
    const { client } = clientWith({})
    const slices = Object.entries(client as unknown as Record<string, Record<string, { all?: unknown }>>)
    for (const [slice, calls] of slices) {
      assert.ok(!('all' in operations[slice]!))
      assert.equal(calls['all'], calls['list']?.all, slice)
    }
    assert.equal(
      slices.filter(([, calls]) => calls['all']).length,
      Object.values(operations).filter(({ list }) => list?.paging).length,
    )
  })

  it('says how each list is paged', () => {
    for (const slice of ['bugs', 'library', 'notifications']) {
      assert.deepEqual(operations[slice]?.['list']?.paging, { by: 'cursor', entries: 'items' }, slice)
    }
    assert.deepEqual(operations['transparency']?.['changes']?.paging, { by: 'after', entries: 'changes' })
    const paged = all
      .filter(({ operation }) => 'page' in operation.input.shape)
      .map(({ slice, verb }) => `${slice}.${verb}`)
    const known = paged.filter((name) => {
      const [slice, verb] = name.split('.') as [string, string]
      return operations[slice]?.[verb]?.paging
    })
    // A profile has a list within.
    assert.deepEqual(
      paged.filter((name) => !known.includes(name)),
      ['profile.show'],
    )
  })

  it('sends nothing again that takes a password or a code, and every other write with a key', () => {
    for (const { slice, verb, operation } of all) {
      const isRead = operation.method === 'GET'
      const expected = isRead || !operation.guesses || undefined
      assert.equal(operations[slice]![verb]!.repeatable, expected, `${slice}.${verb}`)
    }
    assert.equal(operations['accounts']?.['signIn']?.repeatable, undefined)
    assert.equal(operations['bugs']?.['vote']?.repeatable, true)
  })
})

describe('the address of a server', () => {
  it('is an origin, with or without a slash', () => {
    for (const url of [
      'guildhall.example',
      'ftp://guildhall.example',
      'https://guildhall.example/api',
      'https://',
      '',
    ]) {
      assert.throws(() => clientWith({ url }), InputError, url)
    }
    for (const url of ['https://guildhall.example', 'http://127.0.0.1:3000/']) clientWith({ url })
  })
})

describe('an input', () => {
  const { client } = clientWith({ fetch: () => Promise.reject(new Error('Nothing may be sent')) })

  it('with a name that the operation does not take is refused before anything is sent', async () => {
    const wrong: object = { statsu: 'open' }
    await assert.rejects(client.bugs.list(wrong), /InputError: bugs.list takes no "statsu"; it takes .*status/)
  })

  it('that would lead to another path is refused before anything is sent', async () => {
    for (const id of ['', '.', '..', 'a/b', 'a\\b']) {
      await assert.rejects(client.bugs.get({ id }), InputError, id)
    }
  })
})
