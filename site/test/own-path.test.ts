// No address that a page leads on to is another site's.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { ownPath } from '#lib/own-path.ts'

const ORIGIN = 'https://guild.example'

it('A path of the site is kept, with query and fragment', () => {
  for (const path of ['/', '/community/bugs?q=a%20b&page=2#comment-1', '/a/./b', '/library//x']) {
    assert.equal(ownPath(path), path === '/a/./b' ? '/a/b' : path)
  }
})

it('What leads elsewhere leads home', () => {
  for (const path of [
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/x/..//evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '/./\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
    null,
    undefined,
  ]) {
    assert.equal(ownPath(path), '/', String(path))
    assert.equal(ownPath(path, '/settings'), '/settings', String(path))
  }
})

it('A browser stays on this origin, whatever the target', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '\r',
      ' ',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      'http:',
    ),
    fc.string({ maxLength: 3, unit: 'binary' }),
  )
  const path = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(
      fc.oneof(
        path,
        path.map((rest) => `/${rest}`),
      ),
      (given) => {
        const own = ownPath(given)
        assert.ok(own.startsWith('/') && !/^\/[/\\]/.test(own), own)
        assert.equal(new URL(own, ORIGIN).origin, ORIGIN)
        assert.equal(ownPath(own), own)
      },
    ),
    { numRuns: 10_000 },
  )
})
