// Which version a name means.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Choosable, choose, wantedOf } from './choosing.ts'

const of = (...versions: string[]): Choosable[] =>
  versions.map((version) => (version.endsWith('!') ? { version: version.slice(0, -1), yankedAt: 'then' } : { version }))

const chosen = (text: string, versions: Choosable[], options?: Parameters<typeof choose>[2]) =>
  choose(versions, wantedOf(text)!, options)?.version

it('The latest is the newest release, or the newest prerelease where there is no release', () => {
  for (const text of ['latest', '', ' * ']) assert.equal(chosen(text, of('2.0.0-rc.1', '1.1.0', '1.0.0')), '1.1.0')
  assert.equal(chosen('latest', of('0.2.0-b', '0.1.0-a')), '0.2.0-b')
  assert.equal(chosen('latest', of('1.0.0-fast+b-1')), '1.0.0-fast+b-1')
  assert.equal(chosen('latest', of('1.0.1+build-1', '1.0.0')), '1.0.1+build-1')
  assert.equal(chosen('latest', []), undefined)
})

it('A range is the newest version in it', () => {
  assert.equal(chosen('^1', of('2.0.0', '1.4.0', '1.3.9', '0.1.0')), '1.4.0')
  assert.equal(chosen('^3', of('2.0.0', '1.4.0')), undefined)
  assert.equal(chosen('>=2.0.0-b.1', of('2.0.0-b.2', '2.0.0-b.1', '1.0.0')), '2.0.0-b.2')
  assert.equal(chosen('>=1', of('2.0.0-b.2', '1.0.0')), '1.0.0')
})

it('Yanked versions are found to the letter alone', () => {
  const versions = of('1.2.0!', '1.1.0', '1.0.0!')
  assert.equal(chosen('latest', versions), '1.1.0')
  assert.equal(chosen('^1', versions), '1.1.0')
  assert.equal(chosen('~1.2', versions), undefined)
  assert.equal(chosen('1.2.0', versions), '1.2.0')
  assert.equal(chosen('latest', of('1.0.0!')), undefined)
  assert.equal(chosen('~1.2', versions, { withYanked: true }), '1.2.0')
  assert.equal(chosen('latest', versions, { withYanked: true }), '1.2.0')
})

it('Build metadata does not count in an exact version', () => {
  assert.equal(chosen('1.0.0', of('1.0.0+b7')), '1.0.0+b7')
  assert.equal(chosen('1.0.0+other', of('1.0.0+b7')), '1.0.0+b7')
  assert.equal(chosen('1.0.0-b', of('1.0.0')), undefined)
})

it('Of a part of the versions only what older ones cannot change is chosen', () => {
  assert.equal(chosen('latest', of('2.0.0-b', '2.0.0-a'), { isPart: true }), undefined)
  assert.equal(chosen('latest', of('2.0.0-b', '1.0.0'), { isPart: true }), '1.0.0')
  assert.equal(chosen('^2.0.0-a', of('2.0.0-b', '2.0.0-a'), { isPart: true }), '2.0.0-b')
})

it('What is neither version nor range asks for nothing', () => {
  for (const text of ['newest', '1.2.3.4', '../1', 'v']) assert.equal(wantedOf(text), undefined, text)
})
