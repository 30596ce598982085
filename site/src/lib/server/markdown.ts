// Text that people wrote in Markdown, as HTML: two layers, neither trusts the other.
import MarkdownIt from 'markdown-it'
import sanitize from 'sanitize-html'

const md = new MarkdownIt({ html: false, linkify: true })
export const renderMarkdown = (source: string): string => sanitize(md.render(source))
export const plainText = (source: string, max: number): string => source.replace(/\s+/g, ' ').slice(0, max)
