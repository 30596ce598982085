// The forms that undo changes of settings, by their names.

const ACT = 'undo '

export const undoOf = (id: string) => ACT + id

/** Whether a form of this name undoes a change. */
export const isUndo = (of = '') => of.startsWith(ACT)
