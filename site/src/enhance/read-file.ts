// A definition out of a file, into the field beside it, where it can be looked at before it is sent.
import { glance, readDefinition } from '../lib/features/orgs/definition.ts'
import { clearFaults, fault } from './faults.ts'

/** Reads the chosen file into the field that the input names in `data-into`; the file itself is not sent a second time. */
export async function readInto(input: HTMLInputElement): Promise<void> {
  const [file] = input.files ?? []
  const form = input.form!
  clearFaults(form)
  if (!file) return
  const { text, problem } = await readDefinition(file)
  input.value = ''
  if (problem !== undefined) return fault(form, { message: problem, field: input.name })
  const into = form.elements.namedItem(input.dataset.into!) as HTMLTextAreaElement
  into.value = text
  const about = glance(text)
  form.querySelector('[role="status"]')!.textContent = `${file.name} is in the field below${about ? `: ${about}` : ''}.`
}
