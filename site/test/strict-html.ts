// Reads HTML more strictly than any browser. Only text that can be read in one way passes.
import assert from 'node:assert/strict'

const CLASSES: Record<string, RegExp> = {
  code: /^hljs language-[a-z]+$/,
  span: /^task$|^reference$|^(?:hljs-[a-z_-]+|[a-z]+_+)(?: [a-z]+_+)*$/,
  th: /^align-(?:center|end)$/,
  td: /^align-(?:center|end)$/,
  pre: /^plain$/,
  section: /^footnotes$/,
}
const ATTRIBUTES: Record<string, RegExp> = {
  'a href': /^(?:https?:|mailto:|(?![a-z][a-z0-9+.-]*:|[\\/]{2}))/i,
  'a id': /^fnref-[0-9a-f]{8}-\d+(?:-\d+)?$/,
  'a aria-label': /^Back to reference \d+$/,
  'li id': /^fn-[0-9a-f]{8}-\d+$/,
  'img width': /^[1-9]\d{0,4}$/,
  'img height': /^[1-9]\d{0,4}$/,
  'a title': /^/,
  'a rel': /^nofollow ugc noopener$/,
  'img src': /^\/api\/images\/(?!.*(?:\.|%2e){2})/i,
  'img alt': /^/,
  'img title': /^/,
  'img loading': /^lazy$/,
  'img decoding': /^async$/,
  'ol start': /^\d+$/,
  'ol dir': /^auto$/,
  'ul dir': /^auto$/,
  'blockquote dir': /^auto$/,
  'span role': /^img$/,
  'span aria-label': /^(?:Done|To do):$/,
  'pre tabindex': /^0$/,
  'table tabindex': /^0$/,
}
const ELEMENTS =
  /^(?:h[2-6]|p|blockquote|ul|ol|li|pre|hr|table|thead|tbody|tr|th|td|a|br|code|em|img|s|section|span|strong|sup)$/
const VOID = /^(?:br|hr|img)$/

/** Throws unless the HTML is balanced and has nothing in it but what a text may have. */
export function assertHarmless(html: string): void {
  const open: string[] = []
  for (const [part] of html.matchAll(/<[^>]*>|[^<]+|</g)) {
    if (!part.startsWith('<')) {
      assert.doesNotMatch(part, />/)
      continue
    }
    const tag = /^<(\/?)([a-z0-9]+)((?: [a-z-]+(?:="[^"<>]*")?)*)( \/)?>$/.exec(part)
    assert.ok(tag, `not a tag: ${part}`)
    const [, closing, name = '', attributes = ''] = tag
    assert.match(name, ELEMENTS)
    if (closing) assert.equal(open.pop(), name)
    else if (!VOID.test(name)) {
      assert.ok(name !== 'a' || !open.includes('a'), 'a link in a link')
      open.push(name)
    }
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
      const rule = attribute === 'class' ? CLASSES[name] : ATTRIBUTES[`${name} ${attribute}`]
      assert.ok(rule, `${name} must not have ${attribute}`)
      assert.match(decoded(value), rule)
    }
  }
  assert.deepEqual(open, [])
}

const NAMED: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
const decoded = (value: string) =>
  value.replace(/&(?:[a-z]+|#\d+);/g, (entity) => {
    assert.ok(entity in NAMED, `an entity that nothing here writes: ${entity}`)
    return NAMED[entity] ?? ''
  })
