// The documents of the repository: every link leads somewhere, lists name all that they are about, and pages for new readers stay short.
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, it } from 'node:test'

const FENCED = /^```[^\n]*\n[\s\S]*?^```$/gm
const read = (path: string) => readFileSync(path, 'utf8')
const all = (text: string, expression: RegExp) => [...text.matchAll(expression)].map(([, found = '']) => found)

/** All documents; those of `demo` are texts of invented members. */
const documents = globSync(
  ['*.md', '{docs,content}/**/*.md', '{bench,cli,client}/*/*.md', '{cli,client,packages/*}/*.md'],
  {
    exclude: ['**/node_modules/**'],
  },
)
const proseOf = (path: string) => read(path).replace(FENCED, '')

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
const headingsOf = (path: string) => new Set(all(proseOf(path), /^#+ (.+)$/gm).map(slugOf))

/** The document that the site shows at an address below /docs. */
const pageAt = (path: string, language: string) =>
  `content/docs/${path.slice('/docs/'.length) || 'guide'}${language}.md`

/** Addresses of pages of the site; a name in brackets stands for one segment. */
const routes = globSync('site/src/routes/**/{+page.svelte,+server.ts}').map(
  (path) =>
    new RegExp(
      `^${
        dirname(path)
          .slice('site/src/routes'.length)
          .replace(/\[[^\]]+\]/g, '[^/]+') || '/'
      }$`,
    ),
)
/** What the server has beside them. */
const SERVED = /^\/(api\/|schemas\/|\.well-known\/|auth\.md$|llms\.txt$)/
const isServed = (path: string) => SERVED.test(path) || routes.some((route) => route.test(path))

/** Why a link leads nowhere. */
function faultOf(document: string, link: string): string | undefined {
  const [path = '', heading] = link.replace(/^<|>$/g, '').split('#')
  const language = /\.[a-z]{2}(?=\.md$)/.exec(document)?.[0] ?? ''
  let target = path === '' ? document : normalize(join(dirname(document), path))
  if (path.startsWith('/')) {
    if (!existsSync(pageAt(path, ''))) return isServed(path) ? undefined : 'there is no such page'
    // What is in English alone is shown in English.
    target = [pageAt(path, language), pageAt(path, '')].find(existsSync) ?? target
  }
  if (!existsSync(target)) return 'there is no such file'
  if (heading === undefined) return undefined
  return headingsOf(target).has(heading) ? undefined : `there is no heading ${heading}`
}

const sources = globSync(
  ['{src,test,site,cli,client,packages,bench,attack,powercut,release,migrations,bin,deploy}/**/*', '.ci/*'],
  { exclude: ['**/node_modules/**', '**/build/**', '**/dist/**', '**/.svelte-kit/**', 'test/fixtures/**'] },
).filter(
  (path) => statSync(path).isFile() && /(^|\.)(ts|js|svelte|css|service|socket|sh|ya?ml|conf)$|^\.ci\//.test(path),
)

describe('the documents', () => {
  it('have links that lead somewhere', () => {
    assert.ok(documents.length > 90, `${documents.length} documents`)
    const dead = documents.flatMap((path) =>
      all(proseOf(path).replace(/`[^`\n]*`/g, '`code`'), /\]\((?!https?:|mailto:)([^)\s]+)\)/g)
        .map((link) => ({ path, link, fault: faultOf(path, link) }))
        .filter(({ fault }) => fault !== undefined),
    )
    assert.deepEqual(dead, [])
  })

  it('are there where comments and messages name them', () => {
    assert.ok(sources.length > 1000, `${sources.length} files`)
    const wrong = sources.flatMap((path) => {
      const text = read(path)
      const files = all(text, /\b((?:content\/)?docs\/[\w/.-]+\.md)\b/g).filter((file) => !existsSync(file))
      const sections = [...text.matchAll(/\b(ARCHITECTURE|CONTRIBUTING)(?:\.md)?, ([A-Z]\w+)/g)]
        .filter(([, name, section]) => !headingsOf(`${name}.md`).has(slugOf(section!)))
        .map(([citation]) => citation)
      return [...files, ...sections].map((what) => `${path}: ${what}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('name files and folders that are there', () => {
    const roots = new Set(readdirSync('.'))
    const living = documents.filter(
      (path) => !/^docs\/(decisions|spec)\/\d|^docs\/(reference|spec)|^content\//.test(path),
    )
    const gone = living.flatMap((path) =>
      all(proseOf(path), /`([\w.-]+(?:\/[\w.=[\]-]+)+)\/?`/g)
        .filter((name) => roots.has(name.split('/')[0]!) && !existsSync(name))
        .map((name) => `${path}: ${name}`),
    )
    assert.deepEqual(gone, [])
  })

  it('name in ARCHITECTURE.md every part of src, and nothing that is not there', () => {
    const text = read('ARCHITECTURE.md')
    const files = new Set(
      globSync(['{src,site/src,test}/**/*', 'docs/spec/*'], { exclude: ['**/node_modules/**'] }).map((path) =>
        basename(path),
      ),
    )
    const map = all(text, /^\| (`.*?) \|/gm).flatMap((cell) => all(cell, /`([^`]+)`/g))
    const paths = all(text, /`([\w.-]+(?:\/[\w.-]+)+)\/?`/g)
    assert.ok(map.length > 40 && paths.length > 50, `${map.length} of the map, ${paths.length} paths`)
    const missing = readdirSync('src').filter((name) => !map.includes(`src/${name}`))
    assert.deepEqual(missing, [], 'the map has all of src')
    const gone = [...map, ...paths].filter((name) => name !== 'rules.ts' && !existsSync(name))
    const unknown = all(text, /`([\w-]+\.(?:ts|md))`/g).filter((name) => !files.has(name))
    assert.deepEqual([...gone, ...unknown], [])
  })

  it('of the decisions are in their index, once', () => {
    const links = all(read('docs/decisions/README.md'), /\]\((\d[^)]+\.md)\)/g)
    assert.deepEqual(
      links.toSorted(),
      globSync('docs/decisions/2*.md')
        .map((path) => basename(path))
        .toSorted(),
    )
  })

  it('give a reason for every dependency, and for nothing else', () => {
    const named = all(read('docs/dependencies.md'), /^\| (`.*?) \|/gm).flatMap((cell) => all(cell, /`([^`]+)`/g))
    const packages = ['.', 'site', 'cli', 'client'].flatMap((folder) => {
      const manifest = JSON.parse(read(join(folder, 'package.json'))) as Record<string, Record<string, string>>
      return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
        Object.keys(manifest[kind] ?? {}),
      )
    })
    const wanted = new Set(packages.map((name) => name.replace(/^@types\/.*/, '@types/*')))
    assert.deepEqual([...new Set(named)].toSorted(), [...wanted].toSorted())
  })

  it('have a reading guide of ten files, in order', () => {
    const lines = all(read('docs/reading.md'), /^(\d+\. \[.*)$/gm)
    assert.deepEqual(
      lines.map((line) => Number(line.split('.')[0])),
      Array.from({ length: 10 }, (_, n) => n + 1),
    )
    for (const line of lines) {
      const [, name, link] = /^\d+\. \[([^\]]+)\]\(\.\.\/([^)]+)\): .{20,}\.$/.exec(line) ?? []
      assert.ok(name && name === link && existsSync(name), line)
    }
  })

  it('are short where people come first', () => {
    const most = { 'README.md': 6, 'ARCHITECTURE.md': 8, 'CONTRIBUTING.md': 8 }
    for (const [path, kilobytes] of Object.entries(most))
      assert.ok(statSync(path).size <= kilobytes * 1024, `${path} has ${statSync(path).size} bytes`)
  })
})
