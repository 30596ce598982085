// What a skill may do: tools that it allows, scripts and commands that agents are to run, and the hosts that these name.
// Nothing here uses an API of Node.
import { FormatError } from '../../format-error.ts'
import { addScriptText } from '../../permission-scripts.ts'
import { type Permission, PermissionSet } from '../../permission-set.ts'
import { addSitesIn } from '../../permission-sites.ts'
import type { PackagedFile } from '../../permissions.ts'
import { readSkill, SKILL_FILE, type Skill } from './frontmatter.ts'

/** Files that nothing runs: documents, pictures, data, fonts. All others are scripts, by any name. */
export const PLAIN =
  /(?:^|\/)(?:licen[cs]e|notice|authors|copying)[^/]*$|\.(?:md|mdx|txt|rst|csv|tsv|json|jsonl|ya?ml|toml|xml|xsd|svg|png|jpe?g|gif|webp|ico|pdf|docx|xlsx|pptx|ttf|otf|woff2?)$/i
const MARKDOWN = /\.mdx?$/i

/** Whether the text of a file is read for them. */
export const isRead = (path: string): boolean => MARKDOWN.test(path) || !PLAIN.test(path)

/** The line that begins a block of code, with the language that it names, or ends one. */
const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)/
const COMMANDS =
  /^(?:sh|bash|zsh|shell|console|powershell|ps1|bat|cmd|fish|python|py|javascript|js|typescript|ts|ruby|perl)$/i
/** What Claude Code runs while it reads a skill: !`command`. */
const WHILE_READ = /(?:^|\s)!`[^`\n]+`/m

/** The permissions of the files of a skill, sorted. */
export function skillPermissions(files: readonly PackagedFile[]): Permission[] {
  const found = new PermissionSet()
  for (const { path, text } of files) {
    if (path === SKILL_FILE) addSkill(found, text)
    else if (MARKDOWN.test(path)) addDocument(found, path, text)
    else if (!PLAIN.test(path)) addScript(found, path, text)
  }
  if (!files.some(({ path }) => path === SKILL_FILE)) found.addAny('step', 'site', 'script')
  return found.sorted()
}

function addSkill(found: PermissionSet, text: string | undefined): void {
  const skill = text === undefined ? undefined : orUndefined(text)
  if (!skill) {
    found.addAny('step', 'site', 'script')
    return
  }
  found.addDeclared('step', skill.allowedTools, 'without asking')
  // Commands of its own that an agent runs by itself (Claude Code).
  if (skill.unknown.includes('hooks')) found.addAny('script', 'site')
  addDocument(found, SKILL_FILE, skill.body)
}

function orUndefined(text: string): Skill | undefined {
  try {
    return readSkill(text)
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** Commands that a document has in it, and the hosts that they name. */
function addDocument(found: PermissionSet, path: string, text: string | undefined): void {
  if (text === undefined) {
    found.addAny('script', 'site')
    return
  }
  if (WHILE_READ.test(text)) found.addExactly('script', `${path}, commands that run while it is read`)
  for (const code of commandsIn(text)) {
    found.addExactly('script', `${path}, commands`)
    addSitesIn(found, code)
  }
}

/** The blocks of code in a language of commands, each line once. */
function commandsIn(text: string): string[] {
  const blocks: string[] = []
  let [fence, lines]: [string, string[] | undefined] = ['', undefined]
  for (const line of text.split('\n')) {
    const [, mark = '', language = ''] = FENCE.exec(line) ?? []
    if (fence === '') {
      fence = mark
      lines = COMMANDS.test(language) ? [] : undefined
    } else if (mark.startsWith(fence)) {
      if (lines) blocks.push(lines.join('\n'))
      fence = ''
    } else lines?.push(line)
  }
  // A block that does not end goes to the end of the document (CommonMark, 4.5).
  if (fence !== '' && lines) blocks.push(lines.join('\n'))
  return blocks
}

function addScript(found: PermissionSet, path: string, text: string | undefined): void {
  found.addExactly('script', path)
  if (text === undefined) found.addAny('site', 'secret')
  else addScriptText(found, text, path)
}
