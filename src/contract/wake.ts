/** The one sentence that starts a turn; what there is to say leaves in the reply to the prompt hook it causes. */
export const wakeSentence = 'Rein: there is something in your inbox; it is shown with this message.'
