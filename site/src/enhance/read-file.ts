// Reads a definition from a file into the field beside it, so that the member can check it before the upload.
import { glance, readDefinition } from '../lib/features/orgs/definition.ts'
import { clearFaults, fault } from './faults.ts'

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
      problem === 'size'
        ? `The file has ${file.size.toLocaleString('en-GB')} bytes. The limit is 500,000.`
        : 'The file is not text in UTF-8. Choose the .json file of the org.'
    return fault(form, { message, field: input.name })
  }
  const into = form.elements.namedItem(input.dataset.into!) as HTMLTextAreaElement
  into.value = text
  const about = glance(text)
  const said = about ? `: ${about.name}, ${about.roles === 1 ? '1 role' : `${about.roles} roles`}` : ''
  form.querySelector('[role="status"]')!.textContent = `${file.name} is in the field below${said}.`
}
