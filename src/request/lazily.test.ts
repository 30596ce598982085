// Handlers that their first call loads.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setup } from '../accounts/setup/contract.ts'
import type { Handlers } from './handler.ts'
import { lazily } from './lazily.ts'

type Loaded = Handlers<typeof setup>

/** Handlers that give their name, and how often they were loaded; `begun` gets the first of what each is called with. */
function loading(begun: (given: unknown) => void = () => {}) {
  let loads = 0
  const handlers = lazily(setup, async () => {
    loads++
    return Object.fromEntries(
      Object.keys(setup).map((name) => [
        name,
        async (...given: unknown[]) => {
          begun(given[0])
          return [name, ...given]
        },
      ]),
    ) as object as Loaded
  })
  const call = (name: string, ...given: unknown[]) =>
    (handlers as object as Record<string, (...given: unknown[]) => Promise<unknown>>)[name]!(...given)
  return { handlers, call, loads: () => loads }
}

describe('handlers that are loaded by their first call', () => {
  it('are those of the contract, and are not loaded before', () => {
    const { handlers, loads } = loading()
    assert.deepEqual(Object.keys(handlers), Object.keys(setup))
    assert.equal(loads(), 0)
  })

  it('get what they are called with, and are loaded once, also by calls at the same time', async () => {
    const { call, loads } = loading()
    const [name] = Object.keys(setup) as [string]
    assert.deepEqual(await Promise.all([call(name, 1, 2), call(name, 3)]), [
      [name, 1, 2],
      [name, 3],
    ])
    assert.deepEqual(await call(name, 4), [name, 4])
    assert.equal(loads(), 1)
  })

  it('run in the turn of the call once they are loaded', async () => {
    const ran: unknown[] = []
    const { call } = loading((given) => ran.push(given))
    const [name] = Object.keys(setup) as [string]
    await call(name, 1)
    const second = call(name, 2)
    assert.deepEqual(ran, [1, 2])
    await second
  })

  it('pass on why they could not be loaded', async () => {
    const handlers = lazily(setup, () => Promise.reject(new Error('no such module')))
    await assert.rejects((Object.values(handlers)[0] as () => Promise<unknown>)(), /no such module/)
  })

  it('are loaded by the next call when they could not be loaded, once for calls at the same time', async () => {
    let loads = 0
    const [name] = Object.keys(setup) as [string]
    const handlers = lazily(setup, async () => {
      loads++
      if (loads === 1) throw new Error('no file is free')
      return { [name]: async () => 'loaded' } as object as Loaded
    })
    const call = () => (handlers as object as Record<string, () => Promise<unknown>>)[name]!()
    const failed = await Promise.allSettled([call(), call()])
    assert.deepEqual(
      failed.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(loads, 1)
    assert.deepEqual(await Promise.all([call(), call()]), ['loaded', 'loaded'])
    assert.equal(loads, 2)
  })
})
