// The script of pages that stand alone, such as the consent page: the keyboard shortcuts, and nothing else. Their forms are sent by the
// browser, and nothing here parses HTML.
import { press } from './keys.ts'

addEventListener('keydown', press)
