// What packages say of their licence and of the changes of a version.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_CHANGELOG } from '../contract/sizes.ts'
import { changelogOf } from './changelog.ts'
import { isLicenseFile, licenseOf, licenseOfFile } from './license.ts'
import { namedItems } from './named-items.ts'

describe('a licence', () => {
  it('of a manifest is an SPDX identifier where it is clear which one', () => {
    for (const [given, license] of [
      ['MIT', 'MIT'],
      [' mit ', 'MIT'],
      ['apache-2.0', 'Apache-2.0'],
      ['The MIT License', 'MIT'],
      ['Apache License, Version 2.0', 'Apache-2.0'],
      ['Apache 2.0', 'Apache-2.0'],
      ['mit OR apache-2.0', 'MIT OR Apache-2.0'],
      ['(MIT or gpl-3.0-or-later)', '(MIT or GPL-3.0-or-later)'],
      ['MIT OR Mine', 'MIT OR Mine'],
      ['Our own terms', 'Our own terms'],
      ['x'.repeat(100), 'x'.repeat(100)],
      ['x'.repeat(101), null],
      ['a\nb', null],
      ['\ud800', null],
      ['', null],
      [{ type: 'MIT' }, null],
      [undefined, null],
    ] as const) {
      assert.equal(licenseOf(given), license, String(given))
    }
  })

  it('of a package is told by the name of its file, or by its title', () => {
    for (const name of ['LICENSE', 'license.md', 'LICENCE.txt', 'COPYING', 'LICENSE-MIT', 'LICENSE.Apache-2.0.txt']) {
      assert.equal(isLicenseFile(name), true, name)
    }
    for (const name of ['docs/LICENSE', 'licenses.json', 'README.md', 'LICENSEE']) {
      assert.equal(isLicenseFile(name), false, name)
    }
    for (const [path, text, license] of [
      ['LICENSE-MIT', 'Anything', 'MIT'],
      ['LICENSE.Apache-2.0.txt', '', 'Apache-2.0'],
      ['LICENSE', 'MIT License\n\nCopyright (c) 2026 Mira', 'MIT'],
      ['LICENSE', '# The MIT License\n', 'MIT'],
      ['LICENSE', '\n                 Apache License\n           Version 2.0, January 2004\n', 'Apache-2.0'],
      ['LICENSE', 'BSD 3-Clause License\n\nCopyright', 'BSD-3-Clause'],
      ['COPYING', '        GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007', 'GPL-3.0-only'],
      ['COPYING', 'GNU LESSER GENERAL PUBLIC LICENSE\nVersion 2.1, February 1999', 'LGPL-2.1-only'],
      ['COPYING', 'GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3, 19 November 2007', 'AGPL-3.0-only'],
      ['LICENSE', 'Mozilla Public License Version 2.0\n====', 'MPL-2.0'],
      ['LICENSE', 'You may do what we say.', null],
      ['LICENSE', '', null],
    ] as const) {
      assert.equal(licenseOfFile(path, text), license, `${path} ${text.slice(0, 30)}`)
    }
  })
})

describe('a file', () => {
  it('names other items where a text is nothing but the name of one', () => {
    const names = (value: unknown) => namedItems(value).map(({ kind, slug }) => `${kind}/${slug}`)
    const value = {
      ...{ name: 'workflow/first', text: 'See workflow/second.', 'org/key': 1 },
      roles: [{ skills: ['automations/harbor-board@^1.2', 'automation/harbor-board', 'automation/Upper', 'bug/1'] }],
    }
    assert.deepEqual(names(value), ['workflow/first', 'automation/harbor-board'])
    assert.deepEqual([names(null), names('org/desk'), names('org/'), names('org/a/b')], [[], ['org/desk'], [], []])
    const many = (count: number) => names(Array.from({ length: count }, (_, n) => `workflow/w${n}`))
    assert.deepEqual([many(100).length, many(101).length, many(101).at(-1)], [100, 100, 'workflow/w99'])
  })
})

describe('a changelog', () => {
  const text = [
    '# Changelog\n\nAll changes.\n\n## [Unreleased]\n\n- Later',
    '## [1.2.0] - 2026-11-20\n\n### Added\n\n- Mail\n\n```\n## 1.1.0 in code\n```',
    '## v1.2.0-rc.1 (2026-11-01)\r\n\r\n- First\r\n',
    '## 1.1.0+build.7\n\n- Old\n',
    '1.0.0\n-----\n\nThe beginning',
  ].join('\n\n')

  it('tells what is below the heading of a version', () => {
    assert.equal(changelogOf(text, '1.2.0'), '### Added\n\n- Mail\n\n```\n## 1.1.0 in code\n```')
    assert.equal(changelogOf(text, '1.2.0+any'), changelogOf(text, '1.2.0'))
    assert.equal(changelogOf(text, '1.2.0-rc.1'), '- First')
    assert.equal(changelogOf(text, '1.1.0'), '- Old')
    assert.equal(changelogOf(text, '1.0.0'), 'The beginning')
    for (const version of ['1.2', '2.0.0', '11.2.0', '1.2.0-rc', '1.2.0-rc.11']) {
      assert.equal(changelogOf(text, version), null, version)
    }
  })

  it('without versions tells of this one as a whole', () => {
    assert.equal(changelogOf('\n- Faster\0\n', '1.0.0'), '- Faster\ufffd')
    assert.equal(changelogOf('## News\n\n- Faster', '1.0.0'), '## News\n\n- Faster')
    assert.equal(changelogOf(' \n', '1.0.0'), null)
    assert.equal(changelogOf('## 1.0.0\n\n## 0.9.0\n- Old', '1.0.0'), null)
  })

  it('is cut to ten thousand characters', () => {
    assert.equal(changelogOf(`# 1.0.0\n${'x'.repeat(MAX_CHANGELOG)}`, '1.0.0')?.length, MAX_CHANGELOG)
    assert.equal(changelogOf(`# 1.0.0\n${'x'.repeat(MAX_CHANGELOG + 1)}`, '1.0.0')?.length, MAX_CHANGELOG)
    assert.equal(changelogOf(`# 1.0.0\n${'x'.repeat(MAX_CHANGELOG - 1)}\u{1f600}`, '1.0.0')?.length, MAX_CHANGELOG - 1)
  })
})
