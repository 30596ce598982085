// Markdown of what a forum made of Markdown.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCharacters } from '../../../test/any-text.ts'
import { markdownOf } from './html.ts'

const cases: [html: string, markdown: string][] = [
  ['<p>Hello <b>you</b> &amp; <em>all</em></p>\n<p>again</p>', 'Hello **you** & *all*\n\nagain'],
  ['<p>one<br>two</p>', 'one  \ntwo'],
  ['<h2><a name="x" href="/t#x"></a>Title</h2><p>text</p>', '## Title\n\ntext'],
  [
    '<p><a href="https://example.com/a(b)">a link</a> and <a class="mention" href="/u/mona">@mona</a></p>',
    '[a link](https://example.com/a%28b%29) and @mona',
  ],
  ['<p><a href="javascript:alert(1)">no link</a><img src="data:x" alt="no image"></p>', 'no linkno image'],
  [
    '<p><img class="emoji" src="/s.png" alt=":smile:"> <img src="/uploads/a b.png" alt="a [b]"></p>',
    ':smile: ![a \\[b\\]](/uploads/a%20b.png)',
  ],
  ['<pre><code class="lang-js">a &lt; b\n  ```\n</code></pre><p>then</p>', '````js\na < b\n  ```\n````\n\nthen'],
  ['<p>use <code>a`b</code>, *not* _this_ &lt;b&gt;</p>', 'use ``a`b``, \\*not\\* \\_this\\_ \\<b>'],
  ['<ul><li>one</li><li><p>two</p><ol><li>three</li></ol></li></ul><p>end</p>', '- one\n- two\n\n  1. three\n\nend'],
  ['<blockquote><p>a</p><p>b</p></blockquote><p>c</p>', '> a\n>\n> b\n\nc'],
  [
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    '| A | B |\n| --- | --- |\n| 1 | 2 |',
  ],
  ['a<script>evil()</script><style>b{}</style>c', 'ac'],
  ['<p>never closed <b>bold', 'never closed **bold**'],
  ['<hr><p>x</p>', '---\n\nx'],
]
for (const [html, markdown] of cases) it(`of ${html}`, () => assert.equal(markdownOf(html), markdown))

it('takes time by the length, not by the depth', () => {
  const elements = [
    '<div>',
    '<b>',
    '<ul><li>',
    '<blockquote>',
    '<table><tr><td>',
    '<a href=/x>',
    '<pre>',
    '<code>`',
    '<li>',
    '</p>',
    '<svg>',
    '&amp;',
  ]
  for (const element of elements) {
    const from = performance.now()
    const text = markdownOf(element.repeat(500_000 / element.length))
    assert.ok(performance.now() - from < 3_000, `${element} took ${performance.now() - from} ms`)
    assert.ok(text.length < 20_000_000, element)
  }
})

it('is a text for any text', () => {
  const part = fc.oneof(
    anyCharacters,
    fc.constantFrom(
      '<p>',
      '</p>',
      '<li>',
      '<ol>',
      '</ol>',
      '<code>',
      '</pre>',
      '<pre>',
      '<a href="/x">',
      '</a>',
      '<td>',
      '</tr>',
    ),
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      assert.equal(typeof markdownOf(parts.join('')), 'string')
    }),
  )
})
