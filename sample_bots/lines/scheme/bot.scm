;; Each line has a path and a value, such as "view.seat 1"; message has all values of a message by their paths.
(use-modules (ice-9 rdelim))

(define message (make-hash-table))
(define seed 0)
(define (number path) (string->number (hash-ref message path)))

;; The index of an action, from 0 to legal - 1. Your thinking goes here.
(define (choose)
  (let ((x (+ (modulo seed 9973) (* 7 (number "number")))))
    (modulo (modulo (* x x) 9973) (number "legal"))))

(define (answer)
  (if (equal? (hash-ref message "type") "start")
      (begin (set! seed (number "seed")) (display "ready"))
      (display (choose)))
  (newline)
  (force-output))

(let loop ((line (read-line)))
  (unless (eof-object? line)
    (let ((at (string-index line #\space)))
      (cond ((string=? line "go") (answer))
            (at (when (string-prefix? "type " line) (hash-clear! message))
                (hash-set! message (substring line 0 at) (substring line (+ at 1))))))
    (loop (read-line))))
