// Reads a definition from a file into the field beside it, so that the member can check it before the upload.
import { glance, MAX_DEFINITION_BYTES, readDefinition } from '../lib/features/orgs/definition.ts'
import { clearFaults, fault } from './faults.ts'
import { word } from './words.ts'

/** Reads the chosen file into the field named by `data-into`. The file itself is not sent. */
export async function readInto(input: HTMLInputElement): Promise<void> {
  const [file] = input.files ?? []
  const form = input.form!
  clearFaults(form)
  if (!file) return
  const { text, problem } = await readDefinition(file)
  input.value = ''
  if (problem !== undefined) {
    const message =
      problem === 'size' ? word('file.size', { bytes: file.size, limit: MAX_DEFINITION_BYTES }) : word('file.notText')
    return fault(form, { message, field: input.name })
  }
  const into = form.elements.namedItem(input.dataset.into!) as HTMLTextAreaElement
  into.value = text
  const about = glance(text)
  form.querySelector('[role="status"]')!.textContent = about
    ? word('file.readOrg', { file: file.name, name: about.name, count: about.roles })
    : word('file.read', { file: file.name })
}
