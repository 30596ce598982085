// Sentences that speak to an agent behind the back of its user, and comments that readers of a rendered text do not see.
import type { Findings, Severity } from './rules.ts'
import type { TextView } from './text-view.ts'
import { batchesOf, type RuleTimes, type Window, windowsOf } from './windows.ts'

interface Sentence {
  pattern: RegExp
  severity: Severity
  reason: string
}

/** Every wildcard has a bound, so that the work grows with the text alone. */
const sentences: readonly Sentence[] = [
  {
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b[^\n]{0,30}\b(?:previous|prior|above|earlier|preceding|system|(?:all|any)(?: of)?(?: the| your)?)\b[^\n]{0,20}\b(?:instructions?|prompts?|guidelines|guardrails|safety rules)\b/i,
    severity: 'suspicious',
    reason: 'tells an agent to ignore its instructions',
  },
  {
    pattern:
      /\b(?:do not|don['’]t|never|must not) (?:tell|inform|notify|alert|warn)\b[^\n]{0,12}\b(?:the|your) (?:user|human|owner|operator)\b(?! (?:about their|that their))|\bwithout (?:telling|informing|notifying|alerting|asking) (?:the|your) (?:user|human|owner|operator)\b/i,
    severity: 'suspicious',
    reason: 'tells an agent to keep something from its user',
  },
  {
    pattern: /<\/?(?:system|system[_-](?:prompt|message|reminder))>|<\|(?:im_start|im_end|system)\|>|<<SYS>>|\[INST\]/i,
    severity: 'suspicious',
    reason: 'imitates the frame of a conversation with a model',
  },
  {
    pattern:
      /\b(?:reveal|print|repeat|output|leak|disclose)\b[^\n]{0,20}\b(?:your|the) (?:system|hidden|initial|secret) (?:prompts?|instructions?)\b/i,
    severity: 'suspicious',
    reason: 'asks an agent for its instructions',
  },
  {
    pattern:
      /\b(?:send|post|upload|forward|exfiltrate|transmit|leak|copy)\b[^\n]{0,60}(?:~\/\.ssh|\bid_(?:rsa|ed25519)\b|\.aws\/credentials|\.env\b|\b(?:api|private|access) keys?\b|\bcredentials\b|\bcookies\b|\benvironment variables\b)[^\n]{0,60}\bhttps?:\/\//i,
    severity: 'severe',
    reason: 'tells an agent to send secrets to an address',
  },
]

/** What a fence looks for is no instruction (formats.md, section 1). */
const LOOKED_FOR = new Set(['pattern', 'denyPattern'])
/** Characters between the letters would keep a sentence from being found. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const SIZES = { size: 16_384, more: 300 }

const plain = (text: string) => text.replace(INVISIBLE, '').normalize('NFKC')

/** Gives whether it came to the end. */
export async function findInstructions(view: TextView, found: Findings, times: RuleTimes): Promise<boolean> {
  const isWhole = await times.through('agent-instruction', windowsOf(view.text, SIZES), (window) => {
    const seen = plain(window.text)
    const here = sentences.filter(({ pattern }) => pattern.test(seen))
    if (here.length > 0) findInLines(view, found, { ...window, here })
  })
  return view.use === 'script' ? isWhole : (await findComments(view, found, times)) && isWhole
}

function findInLines(view: TextView, found: Findings, { text, from, end, here }: Window & { here: Sentence[] }): void {
  let at = 0
  for (const line of text.split('\n')) {
    if (at >= end) break
    const seen = plain(line)
    const sentence = here.find(({ pattern }) => pattern.test(seen))
    if (sentence) {
      const { line: number, field } = view.placeOf(from + at)
      const { severity, reason } = sentence
      if (!LOOKED_FOR.has(field))
        found.add({ rule: 'agent-instruction', severity, reason, path: view.path, line: number })
    }
    at += line.length + 1
  }
}

/** A link that nothing uses is shown nowhere: `[//]: # (words)`. */
const UNSEEN_LINK = /^\[(?:\/\/|comment)\]: {0,4}#? {0,4}[("']([^\n]{0,2000})[)"']$/gim
/** Longer comments are cut. */
const LONGEST_COMMENT = 4_000
/** What may stand before a comment of Markdown that never closes; within a line it is text (CommonMark, 4.6). */
const OPENS = /(?:^|\n) {0,3}$/
/** Marks of tools that write and check texts. */
const OF_TOOLS =
  /^\s*(?:\/?(?:toc|doctoc|start|end|begin|badges?|omit)\b|prettier|markdownlint|textlint|eslint|vale|cspell|spell|spdx|copyright|generated|all-contributors)/i
const SPEAKS =
  /\b(?:ai|llm|assistant|agent|claude|gpt|copilot|gemini|model|bot)s?\b[\s\S]{0,200}\b(?:must|should|please|always|never|do not|ignore|run|execute|send|install|you)\b|\byou (?:must|should|are|will|have to)\b/i

/** Gives whether it came to the end. */
function findComments(view: TextView, found: Findings, times: RuleTimes): Promise<boolean> {
  return times.through('hidden-comment', batchesOf(commentsIn(view)), (comments) => {
    for (const { at, words } of comments) {
      if (words.trim() === '' || OF_TOOLS.test(words)) continue
      const { line, field } = view.placeOf(at)
      if (LOOKED_FOR.has(field)) continue
      const speaks = SPEAKS.test(words)
      found.add({
        rule: 'hidden-comment',
        severity: speaks ? 'suspicious' : 'note',
        path: view.path,
        line,
        reason: speaks ? 'a comment that readers do not see speaks to an agent' : 'a comment that readers do not see',
      })
    }
  })
}

/** Where what a comment hides ends that never closes; undefined where it hides nothing. */
function unclosedEnd({ text, path, use }: TextView, at: number): number | undefined {
  if (OPENS.test(text.slice(Math.max(0, at - 4), at)) || /\.html?$/i.test(path)) return text.length
  if (use !== 'data') return undefined
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

interface Comment {
  at: number
  words: string
}

/** Goes through the text once, also where a tag opens and never closes: then nothing behind it is shown. */
function* commentsIn(view: TextView): Generator<Comment> {
  const { text } = view
  let closing = 0
  for (let at = text.indexOf('<!--'); at !== -1; ) {
    if (closing !== -1) closing = text.indexOf('-->', at + 4)
    const end = closing === -1 ? unclosedEnd(view, at) : closing
    if (end !== undefined) yield { at, words: text.slice(at + 4, Math.min(end, at + 4 + LONGEST_COMMENT)) }
    at = text.indexOf('<!--', closing === -1 ? at + 4 : closing + 3)
  }
  for (const { index, 1: words = '' } of text.matchAll(UNSEEN_LINK)) yield { at: index, words }
}
