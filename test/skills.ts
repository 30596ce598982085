// Skills as people pack them.
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { pack } from 'tar-stream'

/** A SKILL.md with these lines of frontmatter. */
export const skillText = (fields: Record<string, string> = {}, body = '# PDF tools\n\nRun `scripts/split.py`.\n') =>
  `---\n${Object.entries({ name: 'pdf-tools', description: 'Splits and joins PDF files.', ...fields })
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}---\n${body}`

export const skillFiles = (fields?: Record<string, string>, body?: string): Record<string, string> => ({
  'SKILL.md': skillText(fields, body),
  'scripts/split.py': 'import requests\nrequests.get("https://pdf.example/split")\n',
  'references/forms.md': '# Forms\n',
})

/** `level` 0 stores the files: to deflate megabytes takes seconds. */
export const zipOf = (files: Record<string, string>, folder = '', level: 0 | 6 = 6): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [folder + path, strToU8(text)])), { level })

/** What a tar can have beside plain files. */
type Special = { name: string; type: 'symlink' | 'link' | 'fifo' | 'directory'; linkname?: string }

export async function tarOf(files: Record<string, string>, special: readonly Special[] = []): Promise<Uint8Array> {
  const tar = pack()
  for (const one of special) tar.entry(one)
  for (const [name, text] of Object.entries(files)) tar.entry({ name }, text)
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

export const skillFile = (bytes: Uint8Array = zipOf(skillFiles()), name = 'pdf-tools.zip'): File =>
  new File([Uint8Array.from(bytes)], name)
