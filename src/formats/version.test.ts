// Parsing and comparing versions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareVersions, isVersion, nextPatch, precedenceOf } from './version.ts'

const beyondDoubles = '99999999999999999999999'

describe('a version', () => {
  it('is what Semantic Versioning 2.0.0 says, with numbers of any size', () => {
    const valid = [
      ...['0.0.0', '1.0.0', '10.20.30', '1.1.2-prerelease+meta', '1.1.2+meta', '1.0.0-alpha', '1.0.0-alpha.beta'],
      ...[
        '1.0.0-alpha.0valid',
        '1.0.0-0A.is.legal',
        '1.0.0-alpha0.valid',
        '1.0.0-rc.1+build.123',
        '1.0.0--.x',
        '1.0.0---',
      ],
      ...[
        '1.0.0-alpha-a.b-c-long+build.1-aef.1-its',
        '2.0.0+build.1848',
        '1.0.0+0.build.1-rc.10000aaa-kk-0.1',
        '1.0.0+001',
      ],
      ...[
        `${beyondDoubles}.${beyondDoubles}.${beyondDoubles}`,
        `1.0.0-${beyondDoubles}`,
        '1.2.3----RC-SNAPSHOT.12.9.1--.12',
      ],
    ]
    for (const text of valid) assert.equal(isVersion(text), true, text)
    const invalid = [
      ...['', '1', '1.2', '1.2.3.4', 'v1.2.3', '=1.2.3', ' 1.2.3', '1.2.3 ', '1.2.3\n', '01.1.1', '1.01.1', '1.1.01'],
      ...[
        '1.2.3-',
        '1.2.3+',
        '1.2.3-0123',
        '1.2.3-0123.0123',
        '1.0.0-a..b',
        '1.0.0-a.',
        '1.0.0-.a',
        '1.2-SNAPSHOT',
        '-1.0.3',
      ],
      ...[
        '1.2.3+a+b',
        '1.2.3+a..b',
        '1.0.0-alpha_beta',
        '1.0.0-ä',
        'alpha',
        '+invalid',
        '-invalid',
        '1.2.3-a+b+c',
        '１.0.0',
      ],
    ]
    for (const text of invalid) assert.equal(isVersion(text), false, text)
  })

  it('has at most 256 characters', () => {
    assert.equal(isVersion(`1.0.0-${'a'.repeat(250)}`), true)
    assert.equal(isVersion(`1.0.0-${'a'.repeat(251)}`), false)
  })

  it('is refused as quickly as it is taken', () => {
    const before = process.threadCpuUsage()
    for (const part of ['1', 'a', '-', '1.', 'a.', '1a']) isVersion(`1.0.0-${part.repeat(120)}!`)
    for (const part of ['1', 'a', '1.']) isVersion(part.repeat(5_000_000))
    assert.ok(process.threadCpuUsage(before).user < 5_000_000)
  })
})

describe('precedence', () => {
  it('is the one of Semantic Versioning 2.0.0, section 11', () => {
    const rising = [
      ...[
        '0.0.9',
        '0.0.10',
        '0.9.0',
        '0.10.0',
        '1.0.0--',
        '1.0.0-alpha',
        '1.0.0-alpha.1',
        '1.0.0-alpha.beta',
        '1.0.0-beta',
      ],
      ...[
        '1.0.0-beta.2',
        '1.0.0-beta.11',
        '1.0.0-rc.1',
        '1.0.0',
        '1.0.1-0',
        '1.0.1-9',
        '1.0.1-10',
        '1.0.1--',
        '1.0.1-A',
        '1.0.1-a',
      ],
      ...['2.0.0', '9007199254740992.0.0', '9007199254740993.0.0', `${beyondDoubles}.0.0`],
    ]
    for (const [index, version] of rising.entries()) {
      for (const [otherIndex, other] of rising.entries()) {
        assert.equal(compareVersions(version, other), Math.sign(index - otherIndex), `${version} and ${other}`)
      }
    }
    assert.equal(compareVersions(`1.0.0-${beyondDoubles}`, `1.0.0-${beyondDoubles}0`), -1)
  })

  it('does not count build metadata', () => {
    assert.equal(compareVersions('1.0.0+a', '1.0.0+b'), 0)
    assert.equal(precedenceOf('1.0.0-rc.1+build.5'), '1.0.0-rc.1')
    assert.equal(precedenceOf('1.0.0+5'), '1.0.0')
  })
})

it('the next patch of a prerelease is its release', () => {
  assert.equal(nextPatch('1.4.2'), '1.4.3')
  assert.equal(nextPatch('1.4.2+build'), '1.4.3')
  assert.equal(nextPatch('1.4.2-beta.1+build'), '1.4.2')
  assert.equal(nextPatch('1.0.9007199254740991'), '1.0.9007199254740992')
})
