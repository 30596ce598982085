// Every text that people read is in the catalogue (messages).
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { literalsIn } from './literal-text.ts'

/** What makes text for pages and mails. Samples of development are for those who write the site, robots.txt for machines. */
const sources = globSync(['site/src/**/*.{svelte,ts}', 'src/**/{letters,mails,*-mails}.ts', 'src/mail/html.ts'])
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/^site\/src\/routes\/(dev|robots\.txt)\//.test(path) && !path.endsWith('.test.ts'))

it('Text is in the catalogue: messages/<area>/en.json and de.json (docs/words.md)', () => {
  assert.ok(sources.length > 300, `${sources.length} files`)
  const outside = sources.flatMap((path) =>
    literalsIn(path, readFileSync(path, 'utf8')).map(({ line, text }) => `${path}:${line}: ${text}`),
  )
  assert.deepEqual(outside, [], `\n${outside.join('\n')}`)
})

it('The search for literal text finds it in markup, attributes and strings, and leaves what machines read', () => {
  const textsOf = (path: string, source: string) => literalsIn(path, source).map(({ text }) => text)
  const page = `<script lang="ts">
    import Head from '#lib/Head.svelte'
    let { label = 'Copy the text', kind }: { label?: string; kind: 'a b' | 'c' } = $props()
    const shown = kind === 'Some words' ? 'one word more' : t('frame.skip')
    const many = \`All \${kind} words\`
    if (!kind) throw new Error('There is no kind')
  </script>
  <p class="a b" title="Seen">Hello {kind} <code>npm run x</code></p>
  <Head title="A page" look="accent" /><img alt="" src="/a b.png">`
  const expected = ['Seen', 'Hello', 'A page', 'Copy the text', 'one word more', 'All \u2026 words']
  assert.deepEqual(textsOf('page.svelte', page), expected)
  const module = `export const words = { open: 'Open', path: '/a/b', both: ['Two words'] } as const\nthrow new RangeError('No such thing')`
  assert.deepEqual(textsOf('words.ts', module), ['Open', 'Two words'])
})
